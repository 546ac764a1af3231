#include "lazylogit/optim/batch/curvature_bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/random.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
namespace {

double factor_of(const objective::Problem& problem) {
  if (!problem.choice_ends.empty()) {
    std::uint64_t most = 2, first = 0;
    for (const std::uint64_t last : problem.choice_ends)
      most = std::max(most, last - std::exchange(first, last));
    return 0.5 * static_cast<double>(most);
  }
  if (problem.shape.response != data::Response::classes || problem.shape.num_vectors() == 1) return 1;
  return 0.5 * static_cast<double>(problem.shape.num_classes);
}

}  // namespace

double largest_curvature(objective::Objective& objective, const std::function<bool(std::size_t)>& free,
                         std::uint64_t most_rounds, const std::function<bool()>& interrupted) {
  constexpr std::uint64_t enough = 30;
  const std::uint64_t rounds = std::min(enough, most_rounds);
  Random random(1);
  math::Vector v(objective.size()), product(objective.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = free(i) ? random.normal() : 0.0;
  double curvature = 0;
  for (std::uint64_t round = 0; round < rounds && !interrupted(); ++round) {
    const double norm = std::sqrt(dot(v, v));
    if (!(norm > 0)) break;
    for (double& x : v) x /= norm;
    objective.hessian_vector(v, product);
    curvature = dot(v, product);
    std::swap(v, product);
  }
  return curvature;
}

double curvature_bound(const objective::Problem& problem, std::uint64_t most_rounds,
                       const std::function<bool()>& interrupted) {
  objective::Problem at_zero = problem;
  at_zero.offsets = {};
  const bool convex = problem.prior->convex();
  const prior::PriorTable none(prior::Uniform{}, 0, problem.prior->size());
  if (!convex) at_zero.prior = &none;
  objective::Posterior objective(at_zero);
  objective.set_curvature_point(math::Vector(objective.size(), 0.0));
  const auto fixed = objective.fixed();
  const double likelihood = largest_curvature(
      objective, [&](std::size_t i) { return fixed.empty() || !fixed[i]; }, most_rounds, interrupted);
  double of_prior = 0;
  if (!convex)
    problem.prior->visit([&](const auto& view) {
      for (std::size_t i = 0; i < problem.prior->size(); ++i)
        if (view.penalized(i)) of_prior = std::max(of_prior, view.at(i).curvature(0));
    });
  return factor_of(problem) * likelihood + of_prior;
}

}  // namespace lazylogit::optim
