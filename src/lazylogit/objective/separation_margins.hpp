// Margins of directions, and what makes one a direction of recession: shared by the searches for separation alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {

// Calls body(row, class, margin, size) for every row of positive weight and class other than its label;
// `size` is the sum of the absolute terms of the row's scores, for judging rounding.
template <class Body>
void for_each_margin(const Problem& problem, std::span<const double> direction, const Body& body) {
  const model::Shape& shape = problem.shape;
  math::Vector d(direction.begin(), direction.end());
  if (!problem.centers.empty()) to_original(shape, problem.centers, d.data());
  problem.x->visit_rows([&](const auto& rows) {
    std::vector<double> scores(shape.num_classes);
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      if (problem.weight(j) == 0) continue;
      const auto row = rows.row(j);
      std::fill(scores.begin(), scores.end(), 0.0);
      double size = 0;
      for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
        const auto c = static_cast<std::size_t>(shape.class_of(v));
        const auto add = [&](double term) {
          scores[c] += term;
          size += std::abs(term);
        };
        for (std::size_t k = 0; k < row.size(); ++k) add(row.value(k) * d[shape.index(row.ids[k], v)]);
        if (shape.has_intercept) add(d[shape.intercept_index(v)]);
      }
      const auto label = static_cast<std::size_t>(problem.labels[j]);
      for (std::size_t c = 0; c < scores.size(); ++c)
        if (c != label) body(j, c, scores[label] - scores[c], size);
    }
  });
}

// Moments of the columns over the rows of positive weight, which count alike: separation depends on which rows there are
// and not on how much they weigh.
inline data::FeatureMoments moments_of_present_rows(const Problem& problem) {
  std::vector<double> present(problem.weights.begin(), problem.weights.end());
  for (double& weight : present) weight = weight != 0 ? 1 : 0;
  return data::feature_moments(*problem.x, present);
}

inline math::Vector normalized(std::span<const double> d) {
  double largest = 0;
  for (const double x : d) largest = std::max(largest, std::abs(x));
  math::Vector result(d.begin(), d.end());
  if (largest > 0)
    for (double& x : result) x /= largest;
  return result;
}

inline math::Vector free_part(std::span<const double> candidate, std::span<const std::uint8_t> free) {
  math::Vector d(candidate.begin(), candidate.end());
  for (std::size_t i = 0; i < d.size(); ++i)
    if (!free[i]) d[i] = 0;
  return normalized(d);
}

// What counts as negative and as positive, as parts of the sizes of margins. Columns of large numbers have margins that
// are small parts: only directions that are not from steps of an optimizer are accurate enough to tell those from 0.
struct MarginBounds {
  double negative, positive;
};
inline constexpr MarginBounds of_searched{1e-7, 1e-3}, of_decided{1e-9, 1e-6};

// Whether no margin is negative and some are positive beyond rounding.
std::optional<Separation> verified(const Problem& problem, math::Vector direction,
                                   MarginBounds bounds = of_searched);

// As quasi_separation of a plain problem of classes, for any number of coefficients: passes over the rows alone.
std::optional<Separation> quasi_separation_by_passes(const Problem& problem,
                                                     std::span<const std::uint8_t> free,
                                                     const math::Vector& candidate,
                                                     const std::function<bool()>& interrupted);

}  // namespace lazylogit::objective
