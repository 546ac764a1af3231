#include "lazylogit/objective/fewest_features.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/objective/choice_differences.hpp"
#include "lazylogit/objective/margin_matrix.hpp"
#include "lazylogit/objective/one_label.hpp"
#include "lazylogit/objective/separating_direction.hpp"
#include "lazylogit/objective/separation_margins.hpp"

namespace lazylogit::objective {
namespace {

constexpr double most_multiplications = 2e9;

// Answers whether features separate by themselves, and keeps the direction of the last that do.
class Sufficiency {
 public:
  Sufficiency(const Problem& problem, std::vector<std::size_t> moving, Separation separation, WorkLeft work)
      : problem_(problem),
        matrix_(problem, std::move(moving)),
        best_(std::move(separation)),
        work_(std::move(work)) {}

  // Whether the direction may be more than it is known to be.
  void settle_completeness() {
    std::vector<Eigen::Index> all;
    for (Eigen::Index i = 0; i < matrix_.values().cols(); ++i) all.push_back(i);
    const auto found = separating_direction(matrix_.values(), all, Asked::as_many_as_can, work_);
    if (!found || !found->every_row) return;
    if (auto complete = complete_direction(matrix_.direction(found->d))) best_ = std::move(*complete);
  }

  bool enough(std::span<const std::size_t> features) {
    const std::size_t stride = problem_.shape.stride();
    std::vector<std::uint8_t> in(problem_.shape.num_rows(), 0);
    for (const std::size_t i : features) in[i] = 1;
    if (problem_.shape.has_intercept) in.back() = 1;
    std::vector<Eigen::Index> taken;
    for (std::size_t k = 0; k < matrix_.moving().size(); ++k)
      if (in[matrix_.moving()[k] / stride]) taken.push_back(static_cast<Eigen::Index>(k));
    const auto found = separating_direction(matrix_.values(), taken,
                                            best_.complete ? Asked::as_many_as_can : Asked::some_rows, work_);
    if (!found || (best_.complete && !found->every_row)) return false;
    Eigen::VectorXd whole = Eigen::VectorXd::Zero(matrix_.values().cols());
    for (std::size_t k = 0; k < taken.size(); ++k) whole[taken[k]] = found->d[static_cast<Eigen::Index>(k)];
    math::Vector direction = matrix_.direction(whole);
    auto checked = best_.complete ? complete_direction(std::move(direction))
                                  : verified(problem_, std::move(direction), of_decided);
    if (!checked) return false;
    checked->complete = best_.complete;
    best_ = std::move(*checked);
    return true;
  }
  bool used_up() { return !work_.spend(0); }
  const Separation& best() const noexcept { return best_; }
  Separation take() && { return std::move(best_); }

 private:
  std::optional<Separation> complete_direction(math::Vector direction) const {
    const std::vector<std::uint8_t> all(direction.size(), 1);
    return complete_separation(problem_, all, direction);
  }

  const Problem& problem_;
  MarginMatrix matrix_;
  Separation best_;
  WorkLeft work_;
};

// `pool` is enough, its first features more likely so than its last. Afterwards the direction takes those that are kept.
void reduce(Sufficiency& sufficiency, std::vector<std::size_t> pool) {
  constexpr std::size_t most_alone = 20;
  if (sufficiency.enough({})) return;
  for (std::size_t k = 0; k < std::min(most_alone, pool.size()); ++k)
    if (sufficiency.enough({&pool[k], 1})) return;
  std::vector<std::size_t> kept;
  const auto enough_with = [&](std::size_t count) {
    std::vector<std::size_t> features = kept;
    features.insert(features.end(), pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(count));
    return sufficiency.enough(features);
  };
  // What separates goes on doing so with more features: the last of the fewest first ones that are enough is needed.
  while (!pool.empty() && !sufficiency.used_up()) {
    std::size_t low = 0, high = 1;  // not enough, perhaps enough
    while (high < pool.size() && !enough_with(high)) low = std::exchange(high, 2 * high);
    high = std::min(high, pool.size());
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (enough_with(middle) ? high : low) = middle;
    }
    kept.push_back(pool[high - 1]);
    pool.resize(high - 1);
    if (sufficiency.enough(kept)) return;
  }
}

// The direction cut down to its first features, where that leaves one that separates as it does.
Separation truncated(const Problem& problem, Separation separation, const std::vector<std::size_t>& features,
                     const std::function<bool()>& interrupted) {
  const model::Shape& shape = problem.shape;
  std::size_t low = 0, high = features.size();
  while (high - low > 1 && !(interrupted && interrupted())) {
    const std::size_t middle = low + (high - low) / 2;
    math::Vector cut(separation.direction.begin(), separation.direction.end());
    for (std::size_t k = middle; k < features.size(); ++k)
      for (std::size_t v = 0; v < shape.num_vectors(); ++v) cut[shape.index(features[k], v)] = 0;
    cut = normalized(cut);
    const std::vector<std::uint8_t> all(cut.size(), 1);
    auto found = separation.complete ? complete_separation(problem, all, cut) : verified(problem, cut);
    if (found) {
      found->complete = separation.complete;
      separation = std::move(*found);
      high = middle;
    } else {
      low = middle;
    }
  }
  return separation;
}

Separation of_labels(const Problem& problem, std::span<const std::uint8_t> free, Separation separation,
                     const std::function<bool()>& interrupted) {
  const std::span<const double> direction = separation.direction;
  for (std::size_t v = 0; v < problem.shape.num_vectors(); ++v) {
    bool moves = false;
    for (std::size_t i = 0; i < problem.shape.num_rows(); ++i)
      moves = moves || direction[problem.shape.index(i, v)] != 0;
    if (!moves) continue;
    const OneLabel one(problem, v);
    const auto own = one.own(direction);
    Separation found = with_fewest_features(one.problem(), one.own(free),
                                            {separation.complete, {own.begin(), own.end()}}, interrupted);
    return {found.complete, one.embedded(found.direction)};
  }
  return separation;
}

// Whether intercepts may take up what is taken off the columns.
bool intercepts_are_free(const model::Shape& shape, std::span<const std::uint8_t> free) {
  for (std::size_t v = 0; v < shape.num_vectors() && shape.has_intercept; ++v)
    if (!free[shape.intercept_index(v)]) return false;
  return shape.has_intercept;
}

}  // namespace

std::vector<std::size_t> features_by_share(const Problem& problem, std::span<const std::uint8_t> free,
                                           std::span<const double> direction) {
  constexpr double rounding = 1e-9;
  const model::Shape& shape = problem.shape;
  const data::FeatureMoments moments = moments_of_present_rows(problem);
  const bool taken_up = intercepts_are_free(shape, free);
  std::vector<std::pair<double, std::size_t>> shares;
  for (std::size_t i = 0; i < shape.num_features; ++i) {
    double size = 0;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) size += std::abs(direction[shape.index(i, v)]);
    const double center = taken_up ? moments.means[i] : problem.centers.empty() ? 0 : problem.centers[i];
    shares.emplace_back(size * std::hypot(moments.deviations[i], moments.means[i] - center), i);
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> features;
  for (const auto& [share, feature] : shares)
    if (share > rounding * shares[0].first) features.push_back(feature);
  return features;
}

Separation with_fewest_features(const Problem& problem, std::span<const std::uint8_t> free,
                                Separation separation, const std::function<bool()>& interrupted) {
  if (problem.shape.response == data::Response::number) return separation;
  if (!problem.choice_ends.empty()) {
    const ChoiceDifferences differences(problem);
    return with_fewest_features(differences.problem(), free, std::move(separation), interrupted);
  }
  if (problem.shape.response == data::Response::labels)
    return of_labels(problem, free, std::move(separation), interrupted);
  const model::Shape& shape = problem.shape;
  std::vector<std::size_t> features = features_by_share(problem, free, separation.direction);
  const auto moving_of = [&](std::span<const std::size_t> some) {
    std::vector<std::size_t> moving;
    for (const std::size_t i : some)
      for (std::size_t v = 0; v < shape.num_vectors(); ++v)
        if (free[shape.index(i, v)]) moving.push_back(shape.index(i, v));
    for (std::size_t v = 0; v < shape.num_vectors() && shape.has_intercept; ++v)
      if (free[shape.intercept_index(v)]) moving.push_back(shape.intercept_index(v));
    return moving;
  };
  const auto fits = [&](std::span<const std::size_t> some) {
    return MarginMatrix::fits(problem, moving_of(some).size());
  };
  const WorkLeft work{.multiplications = most_multiplications, .interrupted = interrupted};
  if (!fits(features)) {
    // The first ones may be enough with other coefficients, where these need them all.
    std::vector<std::size_t> first = features;
    while (!first.empty() && !fits(first)) first.resize(first.size() * 4 / 5);
    Sufficiency sufficiency(problem, moving_of(first), separation, work);
    if (sufficiency.enough(first)) {
      if (!sufficiency.best().complete) sufficiency.settle_completeness();
      reduce(sufficiency, std::move(first));
      return std::move(sufficiency).take();
    }
    separation = truncated(problem, std::move(separation), features, interrupted);
    features = features_by_share(problem, free, separation.direction);
    if (!fits(features)) return separation;
  }
  Sufficiency sufficiency(problem, moving_of(features), std::move(separation), work);
  if (!sufficiency.best().complete) sufficiency.settle_completeness();
  reduce(sufficiency, std::move(features));
  return std::move(sufficiency).take();
}

}  // namespace lazylogit::objective
