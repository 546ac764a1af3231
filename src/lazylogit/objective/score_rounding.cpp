#include "lazylogit/objective/score_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/math/softmax.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/row_scores.hpp"

namespace lazylogit::objective {
namespace {

constexpr std::size_t most_rows = 1024;
constexpr double two_roundings = 0x1p-52;

// Replaces the scores of row j, without padding, by its residuals.
void apply_residuals(const Problem& problem, std::size_t j, std::vector<double>& s) {
  const model::Shape& shape = problem.shape;
  if (!problem.choice_ends.empty()) {
    std::fill(s.begin(), s.end(), 1.0);
  } else if (shape.response == data::Response::number) {
    s[0] -= problem.targets[j];
  } else if (shape.response == data::Response::labels) {
    math::sigmoids(s, s);
    for (const ClassId c : (*problem.label_sets)[j]) s[static_cast<std::size_t>(c)] -= 1;
  } else {
    math::apply_softmax(s, shape.reference ? math::ReferenceClass::present : math::ReferenceClass::absent);
    if (const auto own = shape.vector_of(problem.labels[j])) s[*own] -= 1;
  }
}

// Calls body(row number, row, scores, Σ_i |x_i b_i| of each) for every m-th row of positive weight; both are the body's to change.
template <class Body>
void visit_scores(const Problem& problem, std::span<const double> b, std::size_t every, const Body& body) {
  const model::Shape& shape = problem.shape;
  const std::size_t vectors = shape.num_vectors();
  math::Vector original(problem.centers.empty() ? b.end() : b.begin(), b.end());
  if (!problem.centers.empty()) {
    to_original(shape, problem.centers, original.data());
    b = original;
  }
  std::vector<double> s(vectors), size(vectors);
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; j += every) {
      if (problem.weight(j) == 0) continue;
      const auto row = rows.row(j);
      const double offset = problem.offsets.empty() ? 0.0 : problem.offsets[j];
      std::fill(s.begin(), s.end(), 0.0);
      std::fill(size.begin(), size.end(), 0.0);
      const auto add = [&](std::size_t v, double term) {
        s[v] += term;
        size[v] += std::abs(term);
      };
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double x = row.value(k);
        const double* const of_feature = b.data() + shape.index(row.ids[k], 0);
        for (std::size_t v = 0; v < vectors; ++v) add(v, x * of_feature[v]);
      }
      if (shape.has_intercept)
        for (std::size_t v = 0; v < vectors; ++v) add(v, b[shape.intercept_index(v)]);
      if (vectors == 1)
        add(0, offset_sign(shape) * offset);
      else
        add(1, offset);
      body(j, row, s, size);
    }
  });
}

}  // namespace

double score_rounding(const Problem& problem, std::span<const double> b) {
  const std::size_t every = std::max<std::size_t>(1, (problem.x->num_rows() + most_rows - 1) / most_rows);
  double sum = 0;
  visit_scores(problem, b, every, [&](std::size_t j, const auto&, auto& s, const auto& size) {
    apply_residuals(problem, j, s);
    for (std::size_t v = 0; v < s.size(); ++v) sum += problem.weight(j) * std::abs(s[v]) * size[v];
  });
  return two_roundings * static_cast<double>(every) * sum;
}

DerivativeRounding derivative_rounding(const Problem& problem, std::span<const double> b) {
  const model::Shape& shape = problem.shape;
  DerivativeRounding off{math::Vector(shape.size(), 0.0), math::Vector(shape.size(), 0.0)};
  if (shape.response == data::Response::number) return off;
  const double of_sums = two_roundings * (8 + std::sqrt(static_cast<double>(problem.x->num_rows())));
  visit_scores(problem, b, 1, [&](std::size_t j, const auto& row, auto& s, const auto& size) {
    const double largest = *std::max_element(size.begin(), size.end());
    if (!problem.choice_ends.empty())
      s[0] = 0.5;  // whatever the rivals' scores are
    else if (shape.response == data::Response::labels)
      math::sigmoids(s, s);
    else
      math::apply_softmax(s, shape.reference ? math::ReferenceClass::present : math::ReferenceClass::absent);
    for (std::size_t v = 0; v < s.size(); ++v) {
      const double variance = s[v] * (1 - s[v]);
      const double first = two_roundings * problem.weight(j) * variance * largest;
      const double second = of_sums * problem.weight(j) * (s.size() == 1 ? variance : s[v]);
      const auto add = [&](std::size_t i, double x) {
        off.first[i] += first * std::abs(x);
        off.second[i] += second * x * x;
      };
      for (std::size_t k = 0; k < row.size(); ++k) add(shape.index(row.ids[k], v), row.value(k));
      if (shape.has_intercept) add(shape.intercept_index(v), 1);
      for (std::size_t i = 0; i < problem.centers.size(); ++i) add(shape.index(i, v), problem.centers[i]);
    }
  });
  return off;
}

}  // namespace lazylogit::objective
