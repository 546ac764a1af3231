#include "lazylogit/optim/batch/newton_direction.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {

bool factoring_pays(const objective::Objective& objective) {
  constexpr std::size_t most_coefficients = 1500;
  const auto size = static_cast<double>(objective.size());
  if (objective.size() > most_coefficients) return false;
  const double cost = objective.matrix_cost() + size * size * size / 6;
  return cost <= 60 * objective.pass_cost() + 2e7;
}

double newton_in_lbfgs_steps(const objective::Objective& objective, std::size_t memory) {
  constexpr double newton_steps = 4, products_per_step = 10, multiply_adds_per_pass = 2;
  const auto size = static_cast<double>(objective.size());
  const double pass = multiply_adds_per_pass * objective.pass_cost();
  // What a step costs beside its passes, in vectors of all coefficients: two loops over the pairs, or conjugate
  // gradients.
  const double lbfgs_step = pass + static_cast<double>(4 * memory + 6) * size, product = pass + 6 * size;
  double newton_step = pass + products_per_step * product;
  if (factoring_pays(objective)) newton_step = pass + objective.matrix_cost() + size * size * size / 24;
  return newton_steps * newton_step / lbfgs_step;
}

math::Vector inverse_diagonal(Descent& descent) {
  math::Vector diagonal(descent.point().b.size());
  descent.objective().set_curvature_point(descent.point().b);
  descent.objective().hessian_diagonal(diagonal);
  for (double& h : diagonal)
    h = h > 1e-300 && std::isfinite(1 / h) ? 1 / h : 1.0;  // negative: Cauchy's tails
  return diagonal;
}

std::optional<double> factor_in_products(const objective::Objective& objective, double least) {
  constexpr std::size_t most_coefficients = 5000;  // 200 MB for each of three matrices
  if (objective.size() > most_coefficients) return std::nullopt;
  const auto size = static_cast<double>(objective.size());
  return (objective.matrix_cost(least) + size * size * size / 12) / (2 * objective.pass_cost());
}

namespace {

// h ← its Cholesky factor, in the lower triangle; the upper one loses its meaning. False: it is not positive definite, or the caller wants an end, which is
// looked for between panels.
bool factor_in_panels(Eigen::MatrixXd& h, const Descent& descent) {
  constexpr Eigen::Index panel = 256;
  const Eigen::Index n = h.rows();
  for (Eigen::Index k = 0; k < n; k += panel) {
    if (k > 0 && descent.stopped()) return false;
    const Eigen::Index width = std::min(panel, n - k), rest = n - k - width;
    auto corner = h.block(k, k, width, width);
    const Eigen::LLT<Eigen::MatrixXd> factor(corner);
    if (factor.info() != Eigen::Success) return false;
    corner = factor.matrixL();
    const auto each_panel = [&](const auto& body) {  // of what is left: its first row or column, and how many
      parallel_blocks(num_blocks_of(static_cast<std::size_t>(rest), panel), [&](std::size_t block) {
        const Eigen::Index begin = static_cast<Eigen::Index>(block) * panel;
        body(begin, std::min(panel, rest - begin));
      });
    };
    auto below = h.block(k + width, k, rest, width);
    each_panel([&](Eigen::Index begin, Eigen::Index count) {
      auto rows = below.middleRows(begin, count);
      corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(rows);
    });
    each_panel([&](Eigen::Index begin, Eigen::Index count) {
      const Eigen::Index at = k + width + begin;
      h.block(at, at, rest - begin, count).noalias() -=
          below.bottomRows(rest - begin) * below.middleRows(begin, count).transpose();
    });
  }
  return true;
}

}  // namespace

struct FactoredHessian::State {
  std::vector<std::size_t> free;
  Eigen::VectorXd scale;
  Eigen::MatrixXd lower;  // its lower triangle
};

FactoredHessian::~FactoredHessian() = default;

FactoredHessian::FactoredHessian(Descent& descent, double damping, double least)
    : state_(std::make_unique<State>()) {
  objective::Objective& objective = descent.objective();
  const std::size_t size = objective.size();
  std::vector<std::size_t>& free = state_->free;
  for (std::size_t i = 0; i < size; ++i)
    if (descent.free(i)) free.push_back(i);
  objective.set_curvature_point(descent.point().b);
  math::Vector matrix(size * size);
  objective.hessian_matrix(matrix, least);
  const auto n = static_cast<Eigen::Index>(free.size());
  const auto at = [&](Eigen::Index i, Eigen::Index h) {
    return matrix[free[static_cast<std::size_t>(i)] * size + free[static_cast<std::size_t>(h)]];
  };
  // Scaled to a unit diagonal, so that shifts and pivots mean the same for columns of any scale.
  Eigen::VectorXd& scale = state_->scale;
  scale.resize(n);
  Eigen::MatrixXd h(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double d = std::abs(at(i, i));
    scale[i] = d > 0 ? 1 / std::sqrt(d) : 1.0;
  }
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index i = 0; i < n; ++i) h(i, k) = at(k, i) * scale[i] * scale[k];
  // A first tiny shift keeps redundant columns solvable; iterative refinement is not needed as steps repeat.
  for (double shift = 1e-14; shift < 1e6; shift = std::max(10 * shift, 1e-10)) {
    state_->lower = h;
    state_->lower.diagonal().array() += damping + shift;
    if (factor_in_panels(state_->lower, descent)) return;
    if (descent.stopped()) break;
  }
  free.clear();
}

void FactoredHessian::solve(const math::Vector& r, math::Vector& z) const {
  const std::vector<std::size_t>& free = state_->free;
  z.assign(r.size(), 0.0);
  if (free.empty()) return;
  Eigen::VectorXd d(static_cast<Eigen::Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    d[k] = state_->scale[k] * r[free[i]];
  }
  state_->lower.triangularView<Eigen::Lower>().solveInPlace(d);
  state_->lower.triangularView<Eigen::Lower>().transpose().solveInPlace(d);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    z[free[i]] = state_->scale[k] * d[k];
  }
}

void factored_direction(Descent& descent, double damping, math::Vector& direction) {
  FactoredHessian(descent, damping).solve(descent.point().pseudo(), direction);
  for (double& d : direction) d = -d;
}

int truncated_direction(Descent& descent, double forcing, double damping, math::Vector& direction,
                        const FactoredHessian* factor, int most_products) {
  objective::Objective& objective = descent.objective();
  const std::size_t size = objective.size();
  objective.set_curvature_point(descent.point().b);
  math::Vector inverse(size), residual(size), z(size), search(size), product(size);
  objective.hessian_diagonal(inverse);
  std::vector<std::uint8_t> free(size);
  for (std::size_t i = 0; i < size; ++i) {
    free[i] = descent.free(i) ? 1 : 0;
    inverse[i] = free[i] ? 1 / std::max(std::abs(inverse[i]), 1e-300) : 0.0;
    if (!std::isfinite(inverse[i])) inverse[i] = 1;
    residual[i] = free[i] ? -descent.point().pseudo()[i] : 0.0;
  }
  const auto precondition = [&] {
    if (factor != nullptr)
      factor->solve(residual, z);
    else
      for (std::size_t i = 0; i < size; ++i) z[i] = inverse[i] * residual[i];
  };
  precondition();
  search = z;
  direction.assign(size, 0.0);
  double rho = dot(residual, z);
  const double target = forcing * forcing * rho;
  int k = 0;
  for (; k < most_products && rho > target && !descent.interrupted(); ++k) {
    objective.hessian_vector(search, product);
    for (std::size_t i = 0; i < size; ++i)
      product[i] = free[i] ? product[i] + damping / inverse[i] * search[i] : 0.0;
    const double curvature = dot(search, product);
    if (!(curvature > 0)) {
      if (k == 0) direction = search;
      break;
    }
    const double alpha = rho / curvature;
    add_scaled(alpha, search, direction);
    add_scaled(-alpha, product, residual);
    precondition();
    const double next = dot(residual, z);
    const double beta = next / rho;
    rho = next;
    for (std::size_t i = 0; i < size; ++i) search[i] = z[i] + beta * search[i];
  }
  if (k == 0) direction = search;  // no pass is left for a product
  return k;
}

}  // namespace lazylogit::optim
