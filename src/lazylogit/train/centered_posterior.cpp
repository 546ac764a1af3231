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

// With rows of zeros for intercepts that do not take part; they come last in the layout.
Covariance with_intercepts(const model::Shape& shape, model::PosteriorApproximation& posterior) {
  Covariance all{std::move(posterior.coordinates), std::move(posterior.covariance)};
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    if (std::find(all.coordinates.begin(), all.coordinates.end(), shape.intercept_index(v)) !=
        all.coordinates.end())
      continue;
    all.coordinates.push_back(shape.intercept_index(v));
    all.lower.resize(all.lower.size() + all.coordinates.size(), 0.0);
  }
  return all;
}

}  // namespace

void check_centered_posterior(const Prepared& prepared, const TrainOptions& options) {
  if (prepared.centers.empty() || options.posterior == "none" || options.posterior == "full") return;
  throw ConfigError(
      "with centred columns and a prior on the intercept the posterior is known as a whole covariance only",
      "posterior", "take full, or --standardize scale");
}

void to_original_units(const Prepared& prepared, model::PosteriorApproximation& posterior) {
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
