#include "lazylogit/optim/stochastic/sample_loss.hpp"

#include <algorithm>
#include <vector>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/choice_residuals.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"

namespace lazylogit::optim {
namespace {

template <class Value>
const Value* values_of(const data::RowView<Value>& row) {
  return row.values;
}
const data::One* values_of(const data::RowView<data::One>&) { return nullptr; }

double summed_choice_loss(const objective::Problem& problem, std::span<const std::uint64_t> rows,
                          std::span<const double> coefficients) {
  double loss = 0;
  std::vector<double> scores;
  problem.x->visit_rows([&](const auto& view) {
    for (const std::uint64_t first : rows) {
      scores.clear();
      for (std::size_t j = first; j < example_end(problem, first); ++j) {
        const auto row = view.row(j);
        double score = 0;
        for (std::size_t k = 0; k < row.size(); ++k) score += row.value(k) * coefficients[row.ids[k]];
        scores.push_back(score);
      }
      loss += choice_residuals(problem, first, scores);
    }
  });
  return loss;
}

}  // namespace

double summed_loss(const objective::Problem& problem, std::span<const std::uint64_t> rows,
                   std::span<const double> coefficients) {
  const model::Shape& shape = problem.shape;
  const std::size_t stride = shape.stride();
  if (!problem.choice_ends.empty()) return summed_choice_loss(problem, rows, coefficients);
  Residual residual(problem);
  math::Vector scores(std::max(stride, residual.room())), start(stride, 0.0);
  if (shape.has_intercept) std::copy_n(&coefficients[shape.intercept_index(0)], stride, start.begin());
  problem.x->visit_rows([&](const auto& view) {
    for (const std::uint64_t r : rows) {
      const auto row = view.row(r);
      math::sparse_scores(row.ids.data(), values_of(row), row.size(), coefficients.data(), stride,
                          start.data(), scores.data());
      residual(r, problem.weight(r), scores.data());
    }
  });
  return residual.take_loss();
}

}  // namespace lazylogit::optim
