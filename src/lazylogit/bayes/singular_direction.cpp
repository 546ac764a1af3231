#include "lazylogit/bayes/singular_direction.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"

namespace lazylogit::bayes {

using Eigen::Index;

void refuse_singular(std::span<const double> scaled, std::span<const std::size_t> coordinates,
                     const model::Shape& shape, const Names& names) {
  const auto n = static_cast<Index>(coordinates.size());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      Eigen::Map<const Eigen::MatrixXd>(scaled.data(), n, n));
  // Rounded, so that features that matter alike keep their order.
  const Eigen::VectorXd direction = (1e6 * eigen.eigenvectors().col(0).cwiseAbs()).array().round().matrix();
  std::vector<Index> order(static_cast<std::size_t>(direction.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return direction(a) > direction(b); });
  constexpr std::size_t most_named = 5;
  std::string list;
  std::size_t involved = 0;
  for (const Index i : order) {
    if (direction(i) < 0.05 * direction(order.front())) break;
    if (++involved > most_named) continue;
    list +=
        (list.empty() ? "" : ", ") + coordinate_name(shape, coordinates[static_cast<std::size_t>(i)], names);
  }
  if (involved > most_named) list += fmt::format(" and {} more", involved - most_named);
  const bool indefinite = eigen.eigenvalues()(0) < -1e-8;
  throw InputError(
      {.kind = ErrorKind::input,
       .message = indefinite
                      ? "the posterior does not exist: the point is not a minimum of the error along " + list
                      : "the posterior does not exist: the data and the prior cannot tell apart " + list,
       .hint = indefinite
                   ? "train to convergence, or try --restarts"
                   : "give them a gaussian prior, leave one of them out, or, where values are large, use "
                     "--standardize scale",
       .code = indefinite ? "indefinite-curvature" : "singular-curvature"});
}

void refuse_undetermined(const model::Shape& shape, std::size_t coordinate, const Names& names) {
  throw InputError(
      {.kind = ErrorKind::input,
       .message = fmt::format("the posterior does not exist: the error has no positive curvature along {}",
                              coordinate_name(shape, coordinate, names)),
       .hint = "give it a gaussian prior, or leave --posterior out",
       .code = "no-curvature"});
}

}  // namespace lazylogit::bayes
