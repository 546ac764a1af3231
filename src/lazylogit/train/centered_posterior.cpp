#include "lazylogit/train/centered_posterior.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/base/error.hpp"

namespace lazylogit::train {
namespace {

// The lower triangle of a symmetric matrix over some coordinates.
struct Covariance {
  std::vector<std::uint64_t> coordinates;
  std::vector<double> lower;
  double& at(std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax(a, b);
    return lower[high * (high + 1) / 2 + low];
  }
};

// With rows of zeros for intercepts that do not take part, each in its place: those that are pinned or at a kink may stand
// between others.
Covariance with_intercepts(const model::Shape& shape, const model::PosteriorApproximation& posterior) {
  const auto& known = posterior.coordinates;
  Covariance all{known, {}};
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) all.coordinates.push_back(shape.intercept_index(v));
  std::sort(all.coordinates.begin(), all.coordinates.end());
  all.coordinates.erase(std::unique(all.coordinates.begin(), all.coordinates.end()), all.coordinates.end());
  all.lower.assign(all.coordinates.size() * (all.coordinates.size() + 1) / 2, 0.0);
  std::vector<std::size_t> place;
  for (const std::uint64_t coordinate : known)
    place.push_back(static_cast<std::size_t>(
        std::lower_bound(all.coordinates.begin(), all.coordinates.end(), coordinate) -
        all.coordinates.begin()));
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k)
      all.at(place[i], place[k]) = posterior.covariance[i * (i + 1) / 2 + k];
  return all;
}

}  // namespace

void check_centered_posterior(const Prepared& prepared, const TrainOptions& options) {
  if (prepared.centers.empty() || (options.posterior != "samples" && options.posterior != "variational"))
    return;
  throw ConfigError(
      "with centred columns and a prior on the intercept the posterior is a Gaussian around the optimum",
      "posterior", "take full, diagonal or low-rank, or --standardize scale");
}

namespace {

// Diagonal, minus F Fᵀ: T F, and of each vector Var(b_0 − m·b).
void to_original_variances(const Prepared& prepared, model::PosteriorApproximation& posterior) {
  const model::Shape& shape = prepared.shape;
  const std::size_t rank = posterior.rank;
  const auto row = [&](std::size_t i) { return posterior.factor.data() + i * rank; };
  const auto square = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t r = 0; r < rank; ++r)
      sum += static_cast<double>(row(i)[r]) * static_cast<double>(row(i)[r]);
    return sum;
  };
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const std::size_t own = shape.intercept_index(v);
    double base = posterior.variance[own] + square(own);
    std::vector<double> moved(rank, 0.0);
    for (std::size_t f = 0; f < shape.num_features; ++f) {
      const double m = prepared.centers[f];
      if (m == 0) continue;
      const std::size_t i = shape.index(f, v);
      base += m * m * (posterior.variance[i] + square(i));
      for (std::size_t r = 0; r < rank; ++r) moved[r] -= m * static_cast<double>(row(i)[r]);
    }
    for (std::size_t r = 0; r < rank; ++r)
      row(own)[r] = static_cast<float>(static_cast<double>(row(own)[r]) + moved[r]);
    posterior.variance[own] = std::max(0.0, base - square(own));
  }
}

}  // namespace

void to_original_units(const Prepared& prepared, model::PosteriorApproximation& posterior) {
  if (posterior.covariance.empty()) return to_original_variances(prepared, posterior);
  const model::Shape& shape = prepared.shape;
  Covariance all = with_intercepts(shape, posterior);
  const std::size_t size = all.coordinates.size();
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const auto own = static_cast<std::size_t>(
        std::find(all.coordinates.begin(), all.coordinates.end(), shape.intercept_index(v)) -
        all.coordinates.begin());
    // c_k = Cov(m·b, coordinate k); then Cov(b_0 − m·b, k), with the intercept's own entry last.
    std::vector<double> c(size, 0.0);
    double of_sum = 0;  // Var(m·b)
    std::vector<std::pair<std::size_t, double>> parts;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t feature = all.coordinates[k] / shape.stride();
      if (feature < shape.num_features && all.coordinates[k] % shape.stride() == v &&
          prepared.centers[feature] != 0)
        parts.emplace_back(k, prepared.centers[feature]);
    }
    for (std::size_t k = 0; k < size; ++k)
      for (const auto& [part, center] : parts) c[k] += center * all.at(part, k);
    for (const auto& [part, center] : parts) of_sum += center * c[part];
    const double own_variance = all.at(own, own) - 2 * c[own] + of_sum;
    for (std::size_t k = 0; k < size; ++k)
      if (k != own) all.at(own, k) -= c[k];
    all.at(own, own) = std::max(0.0, own_variance);
    posterior.variance[shape.intercept_index(v)] = all.at(own, own);
  }
  posterior.coordinates = std::move(all.coordinates);
  posterior.covariance = std::move(all.lower);
}

}  // namespace lazylogit::train
