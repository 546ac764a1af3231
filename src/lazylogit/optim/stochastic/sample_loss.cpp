#include "lazylogit/optim/stochastic/sample_loss.hpp"

#include <algorithm>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"

namespace lazylogit::optim {

double summed_loss(const objective::Problem& problem, std::span<const std::uint64_t> rows,
                   std::span<const double> coefficients) {
  const model::Shape& shape = problem.shape;
  const std::size_t stride = shape.stride();
  Residual residual(problem);
  math::Vector scores(stride), start(stride, 0.0);
  if (shape.has_intercept) std::copy_n(&coefficients[shape.intercept_index(0)], stride, start.begin());
  problem.x->visit_rows([&](const auto& view) {
    for (const std::uint64_t r : rows) {
      const std::uint64_t from = view.offsets[r];
      math::sparse_scores(view.ids + from, view.values == nullptr ? nullptr : view.values + from,
                          view.offsets[r + 1] - from, coefficients.data(), stride, start.data(),
                          scores.data());
      residual(r, problem.weight(r), scores.data());
    }
  });
  return residual.take_loss();
}

}  // namespace lazylogit::optim
