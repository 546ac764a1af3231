#include "lazylogit/objective/newton_bound.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/score_rounding.hpp"
#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {
namespace {

constexpr double most_row_work = 2e10;

std::vector<std::size_t> moving_coordinates(const Posterior& objective) {
  const auto fixed = objective.fixed();
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < objective.size(); ++i)
    if (fixed.empty() || !fixed[i]) moving.push_back(i);
  return moving;
}

Eigen::MatrixXd hessian_of(Posterior& objective, std::span<const double> b,
                           const std::vector<std::size_t>& moving) {
  math::Vector all(objective.size() * objective.size());
  objective.set_curvature_point(b);
  objective.hessian_matrix(all);
  const auto n = static_cast<Eigen::Index>(moving.size());
  Eigen::MatrixXd h(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k)
      h(i, k) =
          all[moving[static_cast<std::size_t>(i)] * objective.size() + moving[static_cast<std::size_t>(k)]];
  return h;
}

// The largest spread of scores over the classes of a row, over all rows, for directions of length 1 in the
// metric H: at most the two largest ‖T x_c‖ added (one of them 0 for the reference class), T = H^{−1/2}.
double largest_spread(const Problem& problem, const Eigen::MatrixXd& whiten,
                      const std::vector<std::size_t>& moving) {
  const model::Shape& shape = problem.shape;
  std::vector<Eigen::Index> position(shape.size(), -1);
  for (std::size_t k = 0; k < moving.size(); ++k) position[moving[k]] = static_cast<Eigen::Index>(k);
  // What centred rows have less, in every vector.
  std::vector<Eigen::VectorXd> shift(shape.num_vectors(), Eigen::VectorXd::Zero(whiten.rows()));
  for (std::size_t i = 0; i < problem.centers.size(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      if (const Eigen::Index at = position[shape.index(i, v)]; at >= 0)
        shift[v] += problem.centers[i] * whiten.col(at);
  constexpr std::size_t block_rows = 256;
  const std::size_t blocks = num_blocks_of(problem.x->num_rows(), block_rows);
  std::vector<double> largest(blocks, 0.0);
  problem.x->visit_rows([&](const auto& rows) {
    parallel_blocks(blocks, [&](std::size_t block) {
      Eigen::VectorXd z(whiten.rows());
      const std::size_t end = std::min(rows.num_rows, (block + 1) * block_rows);
      for (std::size_t j = block * block_rows; j < end; ++j) {
        if (problem.weight(j) == 0) continue;
        const auto row = rows.row(j);
        double first = 0, second = 0;
        for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
          z = -shift[v];
          for (std::size_t k = 0; k < row.size(); ++k)
            if (const Eigen::Index at = position[shape.index(row.ids[k], v)]; at >= 0)
              z += row.value(k) * whiten.col(at);
          if (shape.has_intercept)
            if (const Eigen::Index at = position[shape.intercept_index(v)]; at >= 0) z += whiten.col(at);
          const double length = z.norm();
          if (length > first) {
            second = first;
            first = length;
          } else {
            second = std::max(second, length);
          }
        }
        largest[block] = std::max(largest[block], shape.num_vectors() == 1 ? first : first + second);
      }
    });
  });
  return *std::max_element(largest.begin(), largest.end());
}

// What rounding may be in the derivatives: some last bits of every residual, which are all that is left of those of rows
// whose probabilities have come close to 0 and 1, and what scores are off by.
std::vector<double> slope_rounding(const Problem& problem, const math::Vector& of_scores,
                                   const std::vector<std::size_t>& moving) {
  constexpr double last_bits = 4 * 2.3e-16;
  const model::Shape& shape = problem.shape;
  std::vector<double> sizes(shape.num_features + 1, 0.0);
  double total = 0;
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const double w = problem.weight(j);
      total += w;
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size() && w != 0; ++k)
        sizes[row.ids[k]] += w * std::abs(static_cast<double>(row.value(k)));
    }
  });
  for (std::size_t i = 0; i < problem.centers.size(); ++i) sizes[i] += total * std::abs(problem.centers[i]);
  sizes.back() = total;
  std::vector<double> rounding;
  for (const std::size_t i : moving) rounding.push_back(last_bits * sizes[i / shape.stride()] + of_scores[i]);
  return rounding;
}

// Without a reference a common shift of coefficients that are all free changes no score. The bound is about the directions
// across these; along them h, which has no curvature but rounding, gets some, so that they cannot be taken for others.
void hold_common_shifts(const Problem& problem, const std::vector<std::size_t>& moving, Eigen::MatrixXd& h) {
  const model::Shape& shape = problem.shape;
  if (shape.reference || shape.response != data::Response::classes) return;
  const std::vector<std::uint8_t> free = free_coordinates(problem);
  const auto vectors = static_cast<Eigen::Index>(shape.num_vectors());
  for (Eigen::Index first = 0; first + vectors <= h.rows(); ++first) {
    const std::size_t i = moving[static_cast<std::size_t>(first)];
    if (i % shape.stride() != 0) continue;
    bool all = moving[static_cast<std::size_t>(first + vectors - 1)] == i + shape.num_vectors() - 1;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) all = all && free[i + v] != 0;
    if (!all) continue;
    h.block(first, first, vectors, vectors).array() += h.diagonal().segment(first, vectors).mean();
  }
}

// Whether some row's scores against each other change along `direction` (over the moving coordinates) by more than
// rounding: little curvature may also mean probabilities that have come close to 0 and 1.
bool seen(const Problem& problem, const Eigen::VectorXd& direction, const std::vector<std::size_t>& moving) {
  const model::Shape& shape = problem.shape;
  math::Vector d(shape.size(), 0.0);
  for (std::size_t k = 0; k < moving.size(); ++k) d[moving[k]] = direction[static_cast<Eigen::Index>(k)];
  const bool choices = !problem.choice_ends.empty();
  const bool with_zero = shape.reference || shape.response != data::Response::classes;
  const double start = with_zero && !choices ? 0 : HUGE_VAL;
  bool found = false;
  problem.x->visit_rows([&](const auto& rows) {
    double low = start, high = -start, size = 0;
    for (std::size_t j = 0, choice = 0; j < rows.num_rows && !found; ++j) {
      if (choices && j == problem.choice_ends[choice]) {
        ++choice;
        low = start, high = -start, size = 0;
      } else if (!choices) {
        low = start, high = -start, size = 0;
      }
      if (problem.weight(j) == 0) continue;
      const auto row = rows.row(j);
      for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
        double score = 0;
        const auto add = [&](std::size_t index, double x) {
          score += x * d[index];
          size = std::max(size, std::abs(x * d[index]));
        };
        for (std::size_t k = 0; k < row.size(); ++k) add(shape.index(row.ids[k], v), row.value(k));
        if (shape.has_intercept) add(shape.intercept_index(v), 1);
        for (std::size_t i = 0; i < problem.centers.size(); ++i) add(shape.index(i, v), -problem.centers[i]);
        low = std::min(low, score);
        high = std::max(high, score);
      }
      found = high - low > 1e-11 * size;
    }
  });
  return found;
}

}  // namespace

std::optional<GapBound> newton_bound(Posterior& objective, std::span<const double> b,
                                     std::span<const double> subgradient, double error) {
  if (!objective.convex() || objective.size() > newton_bound_limit) return std::nullopt;
  const std::vector<std::size_t> moving = moving_coordinates(objective);
  const auto n = static_cast<Eigen::Index>(moving.size());
  if (n == 0) return GapBound{};
  if (objective.pass_cost() * static_cast<double>(moving.size()) > most_row_work) return std::nullopt;
  Eigen::MatrixXd h = hessian_of(objective, b, moving);
  hold_common_shifts(objective.problem(), moving, h);
  Eigen::VectorXd scale(n), g(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    scale[i] = h(i, i) > 0 ? 1 / std::sqrt(h(i, i)) : 0.0;
    g[i] = subgradient[moving[static_cast<std::size_t>(i)]];
    if (scale[i] == 0 && g[i] != 0) return std::nullopt;
  }
  h = scale.asDiagonal() * h * scale.asDiagonal();
  g = scale.asDiagonal() * g;
  if (!h.allFinite() || !g.allFinite()) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(h);
  if (eigen.info() != Eigen::Success) return std::nullopt;
  const double cutoff = 1e-13 * static_cast<double>(n) * eigen.eigenvalues().maxCoeff();
  Eigen::MatrixXd whiten = Eigen::MatrixXd::Zero(n, n);  // Λ^{−1/2} Vᵀ D^{−1/2}
  // A quadratic error has no third derivative, and an optimum whatever the derivatives are.
  const bool quadratic = objective.problem().shape.response == data::Response::number;
  Eigen::VectorXd off = Eigen::VectorXd::Zero(n);
  double off_curvature = 0;  // of any direction of length 1
  if (!quadratic) {
    const DerivativeRounding derivatives = derivative_rounding(objective.problem(), b);
    const std::vector<double> rounding = slope_rounding(objective.problem(), derivatives.first, moving);
    for (Eigen::Index i = 0; i < n; ++i) {
      off[i] = scale[i] * rounding[static_cast<std::size_t>(i)];
      off_curvature += scale[i] * scale[i] * derivatives.second[moving[static_cast<std::size_t>(i)]];
    }
  }
  double squared = 0, squared_rounding = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double along = eigen.eigenvectors().col(k).dot(g);
    const double value = eigen.eigenvalues()[k] - off_curvature;
    if (value <= cutoff) {
      // A direction that no row sees has no slope but rounding; otherwise nothing is proved.
      if (std::abs(along) > 1e-9 * std::sqrt(1 + std::abs(error))) return std::nullopt;
      // Entries that are rounding would be all that rows see which have none of the others.
      const Eigen::VectorXd vector = eigen.eigenvectors().col(k);
      // Without curvature there is no scale either, but a direction all the same.
      const Eigen::VectorXd unscaled = (scale.array() > 0).select(scale, Eigen::VectorXd::Ones(n));
      const Eigen::VectorXd direction =
          (vector.array().abs() > 1e-10).select(vector.cwiseProduct(unscaled), Eigen::VectorXd::Zero(n));
      if (seen(objective.problem(), direction, moving)) return std::nullopt;
      continue;
    }
    squared += along * along / value;
    const double off_along = eigen.eigenvectors().col(k).cwiseAbs().dot(off);
    squared_rounding += off_along * off_along / value;
    whiten.row(k) = (eigen.eigenvectors().col(k).cwiseProduct(scale) / std::sqrt(value)).transpose();
  }
  const double decrement = std::sqrt(squared) + std::sqrt(squared_rounding);
  // The scores of two candidates of a choice differ by no more than the two lengths.
  const double rivals = objective.problem().choice_ends.empty() ? 1 : 2;
  const double spread = quadratic ? 0.0 : rivals * largest_spread(objective.problem(), whiten, moving);
  const double u = spread * decrement;
  if (!(u < 0.99)) return std::nullopt;
  GapBound bound;
  // (u + (1−u) ln(1−u))/ρ², by its series u²/2 + u³/6 + u⁴/12 + … where it would cancel.
  const double shape_factor = u < 1e-3 ? 0.5 + u / 6 + u * u / 10 : (u + (1 - u) * std::log1p(-u)) / (u * u);
  bound.gap = shape_factor * decrement * decrement;
  bound.rounding = 8 * 2.3e-16 * (std::abs(error) + decrement * decrement);
  bound.gap += bound.rounding;
  return bound;
}

namespace {

// The smallest eigenvalue; 0 where it cannot be told from it, as along a common shift of free intercepts.
double smallest_of(const Eigen::VectorXd& eigenvalues) {
  const double smallest = eigenvalues.minCoeff(), largest = eigenvalues.cwiseAbs().maxCoeff();
  return std::abs(smallest) <= 1e-13 * static_cast<double>(eigenvalues.size()) * largest ? 0 : smallest;
}

}  // namespace

double smallest_curvature(Posterior& objective, std::span<const double> b) {
  const std::vector<std::size_t> moving = moving_coordinates(objective);
  if (moving.empty()) return 0;
  if (objective.size() <= newton_bound_limit) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(hessian_of(objective, b, moving),
                                                               Eigen::EigenvaluesOnly);
    return smallest_of(eigen.eigenvalues());
  }
  // Lanczos with full reorthogonalization from a fixed start.
  const auto n = static_cast<Eigen::Index>(objective.size());
  const Eigen::Index steps = std::min<Eigen::Index>(40, static_cast<Eigen::Index>(moving.size()));
  objective.set_curvature_point(b);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(n, steps);
  Eigen::MatrixXd tridiagonal = Eigen::MatrixXd::Zero(steps, steps);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(n), product(n);
  for (std::size_t k = 0; k < moving.size(); ++k)
    v[static_cast<Eigen::Index>(moving[k])] = 1 + 0.5 * std::sin(static_cast<double>(k + 1));
  v.normalize();
  Eigen::Index taken = 0;
  for (; taken < steps; ++taken) {
    basis.col(taken) = v;
    objective.hessian_vector({v.data(), objective.size()}, {product.data(), objective.size()});
    tridiagonal(taken, taken) = v.dot(product);
    for (int twice = 0; twice < 2; ++twice)
      product -= basis.leftCols(taken + 1) * (basis.leftCols(taken + 1).transpose() * product);
    const double length = product.norm();
    if (taken + 1 == steps || !(length > 1e-12)) break;
    tridiagonal(taken, taken + 1) = tridiagonal(taken + 1, taken) = length;
    v = product / length;
  }
  taken = std::min(taken + 1, steps);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(tridiagonal.topLeftCorner(taken, taken),
                                                             Eigen::EigenvaluesOnly);
  return smallest_of(eigen.eigenvalues());
}

math::Vector direction_of_negative_curvature(Posterior& objective, std::span<const double> b) {
  const std::vector<std::size_t> moving = moving_coordinates(objective);
  if (moving.empty() || objective.size() > newton_bound_limit) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(hessian_of(objective, b, moving));
  if (eigen.info() != Eigen::Success || !(smallest_of(eigen.eigenvalues()) < 0)) return {};
  math::Vector direction(objective.size(), 0.0);
  for (std::size_t k = 0; k < moving.size(); ++k)
    direction[moving[k]] = eigen.eigenvectors()(static_cast<Eigen::Index>(k), 0);  // eigenvalues ascend
  return direction;
}

}  // namespace lazylogit::objective
