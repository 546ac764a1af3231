#include "lazylogit/objective/separation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lazylogit/objective/choice_differences.hpp"
#include "lazylogit/objective/margin_matrix.hpp"
#include "lazylogit/objective/one_label.hpp"
#include "lazylogit/objective/one_sided_features.hpp"
#include "lazylogit/objective/separating_direction.hpp"
#include "lazylogit/objective/separation_margins.hpp"

namespace lazylogit::objective {
namespace {

// Directions along which margins that are at most a fraction of the largest at d are 0, and the others are positive if
// that can be had: d itself in the null space of the former, and Newton steps on Σ log(1 + e^{−margin}) from there. Which
// margins should be 0 shows in their size, but not how small is small.
class NearbyDirections {
 public:
  explicit NearbyDirections(const MarginMatrix& matrix) : matrix_(matrix), a_(matrix.values()) {}

  // `accept` is called with one direction after another until it says true.
  template <class Accept>
  void visit(const math::Vector& d, const Accept& accept) const {
    const Eigen::VectorXd start = matrix_.coordinates(d);
    const Eigen::VectorXd margins = a_ * start;
    std::vector<Eigen::Index> order(static_cast<std::size_t>(a_.rows()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::sort(order.begin(), order.end(),
              [&](Eigen::Index x, Eigen::Index y) { return margins[x] < margins[y]; });
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(a_.cols(), a_.cols());
    std::size_t taken = 0;
    for (const double fraction : {1e-6, 1e-4, 1e-3, 1e-2, 3e-2, 0.1, 0.2, 0.4}) {
      const double threshold = fraction * margins.maxCoeff();
      const std::size_t before = taken;
      while (taken < order.size() && margins[order[taken]] <= threshold) ++taken;
      if (taken == before && before > 0) continue;  // nothing new
      add_squares({order.data() + before, taken - before}, gram);
      const Eigen::MatrixXd basis = null_space(gram);
      if (basis.cols() == 0) return;  // more rows leave no more
      const Eigen::MatrixXd reduced = a_ * basis;
      Eigen::VectorXd z = basis.transpose() * start;
      z /= std::max(1e-300, (reduced * z).cwiseAbs().maxCoeff());
      if (accept(matrix_.direction(basis * z))) return;
      if (lengthen(reduced, z) && accept(matrix_.direction(basis * z))) return;
    }
  }

 private:
  void add_squares(std::span<const Eigen::Index> rows, Eigen::MatrixXd& gram) const {
    Eigen::MatrixXd part(static_cast<Eigen::Index>(rows.size()), a_.cols());
    for (std::size_t r = 0; r < rows.size(); ++r) part.row(static_cast<Eigen::Index>(r)) = a_.row(rows[r]);
    gram.noalias() += part.transpose() * part;
  }

  // Of the rows in `gram`, but for directions in which no margin at all moves, as along collinear features.
  Eigen::MatrixXd null_space(const Eigen::MatrixXd& gram) const {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
    const double cutoff =
        1e-13 * static_cast<double>(a_.cols()) * std::max(1e-300, eigen.eigenvalues().maxCoeff());
    const Eigen::Index dimension = (eigen.eigenvalues().array() <= cutoff).count();  // eigenvalues ascend
    const Eigen::MatrixXd basis = eigen.eigenvectors().leftCols(dimension);
    if (dimension == 0) return basis;
    const Eigen::MatrixXd reduced = a_ * basis;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> seen(reduced.transpose() * reduced);
    // Columns of a have length 1, so that this is about the largest eigenvalue there can be.
    const double unseen = 1e-13 * static_cast<double>(a_.cols());
    const Eigen::Index kernel = (seen.eigenvalues().array() <= unseen).count();
    return basis * seen.eigenvectors().rightCols(dimension - kernel);
  }

  // Newton steps on the margins of z. False: they have a finite optimum, which separates nothing.
  static bool lengthen(const Eigen::MatrixXd& reduced, Eigen::VectorXd& z) {
    constexpr int most = 40;
    for (int step = 0; step < most; ++step) {
      const Eigen::ArrayXd now = (reduced * z).array();
      const Eigen::ArrayXd p = (1 + now.exp()).inverse();  // the pull of each margin
      const Eigen::MatrixXd h = reduced.transpose() * (p * (1 - p)).matrix().asDiagonal() * reduced +
                                1e-12 * Eigen::MatrixXd::Identity(z.size(), z.size());
      const Eigen::VectorXd slope = reduced.transpose() * p.matrix();
      const Eigen::VectorXd move = h.llt().solve(slope);
      if (!move.allFinite()) break;
      const double largest = (reduced * move).cwiseAbs().maxCoeff();
      if (largest < 1e-6 && now.minCoeff() < -1e-3) return false;
      // Margins of very different sizes need room to grow.
      const double reach = std::max(5.0, now.abs().maxCoeff());
      z += std::min(1.0, reach / std::max(1e-300, largest)) * move;
      if (largest < 1e-9) break;
    }
    return true;
  }

  const MarginMatrix& matrix_;
  const Eigen::MatrixXd& a_;  // columns of length 1
};

}  // namespace

std::vector<std::uint8_t> free_coordinates(const Problem& problem) {
  const model::Shape& shape = problem.shape;
  std::vector<std::uint8_t> free(shape.size(), 0);
  problem.prior->visit([&](const auto& view) {
    for (std::size_t row = 0; row < free.size(); row += shape.stride())
      for (std::size_t i = row; i < row + shape.num_vectors(); ++i)
        if (!view.pinned(i)) free[i] = !view.penalized(i) || view.at(i).value(1) == 0 ? 1 : 0;
  });
  return free;
}

bool has_free_feature(const Problem& problem) {
  const std::size_t end = problem.shape.num_features * problem.shape.stride();
  if (end == 0) return false;
  if (problem.prior->shared() && problem.prior->num_penalized() >= end)
    return std::visit([](const auto& p) { return p.value(1) == 0; }, problem.prior->shared_prior());
  const std::vector<std::uint8_t> free = free_coordinates(problem);
  const auto last = free.begin() + static_cast<std::ptrdiff_t>(end);
  return std::find(free.begin(), last, 1) != last;
}

bool has_seen_free_feature(const Problem& problem) {
  if (!has_free_feature(problem)) return false;
  const model::Shape& shape = problem.shape;
  const std::vector<std::uint8_t> free = free_coordinates(problem);
  std::vector<std::uint8_t> unheld(shape.num_features, 0);
  for (std::size_t i = 0; i < unheld.size(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) unheld[i] |= free[shape.index(i, v)];
  bool seen = false;
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows && !seen; ++j) {
      if (problem.weight(j) == 0) continue;
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size() && !seen; ++k)
        seen = unheld[row.ids[k]] != 0 && row.value(k) != 0;
    }
  });
  return seen;
}

namespace {

std::vector<std::size_t> indices_of(std::span<const std::uint8_t> free) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < free.size(); ++i)
    if (free[i]) indices.push_back(i);
  return indices;
}

// `find` is called with the problem of one label after another until it finds something or `ended`.
template <class Ended, class Find>
std::optional<Separation> separation_of_labels(const Problem& problem, std::span<const std::uint8_t> free,
                                               std::span<const double> candidate, const Ended& ended,
                                               const Find& find) {
  constexpr std::size_t most_labels = 1000;
  if (problem.shape.num_vectors() > most_labels) return std::nullopt;
  for (std::size_t v = 0; v < problem.shape.num_vectors(); ++v) {
    if (ended()) return std::nullopt;
    const OneLabel one(problem, v);
    if (auto found = find(one.problem(), one.own(free), one.own(candidate)))
      return Separation{found->complete, one.embedded(found->direction)};
  }
  return std::nullopt;
}

// Whether no margin is negative once means are taken off. In columns of large numbers these hide what is far beyond
// rounding: a second in a year is nothing beside the seconds since 1970.
bool holds_centred(const MarginMatrix& matrix, const math::Vector& direction) {
  const Eigen::VectorXd z = matrix.coordinates(direction);
  const Eigen::VectorXd margins = matrix.values() * z;
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(margins.size());
  for (Eigen::Index k = 0; k < z.size(); ++k) sizes += std::abs(z[k]) * matrix.values().col(k).cwiseAbs();
  return (margins.array() >= -of_decided.negative * sizes.array()).all();
}

}  // namespace

std::optional<Separation> complete_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                              std::span<const double> candidate) {
  if (problem.shape.response == data::Response::number) return std::nullopt;
  if (!problem.choice_ends.empty())
    return complete_separation(ChoiceDifferences(problem).problem(), free, candidate);
  if (problem.shape.response == data::Response::labels)
    return separation_of_labels(
        problem, free, candidate, [] { return false; }, complete_separation);
  Separation separation{true, free_part(candidate, free)};
  bool positive = true;
  for_each_margin(problem, separation.direction, [&](std::size_t, std::size_t, double margin, double size) {
    positive = positive && margin > 1e-12 * size;
  });
  if (!positive) return std::nullopt;
  return separation;
}

std::optional<Separation> quasi_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                           std::span<const double> candidate,
                                           const std::function<bool()>& interrupted) {
  if (problem.shape.response == data::Response::number) return std::nullopt;
  if (!problem.choice_ends.empty())
    return quasi_separation(ChoiceDifferences(problem).problem(), free, candidate, interrupted);
  if (problem.shape.response == data::Response::labels)
    return separation_of_labels(
        problem, free, candidate, [&] { return interrupted && interrupted(); },
        [&](const auto&... one) { return quasi_separation(one..., interrupted); });
  std::vector<std::size_t> moving = indices_of(free);
  if (moving.empty()) return std::nullopt;
  const math::Vector d = free_part(candidate, free);
  if (!MarginMatrix::fits(problem, moving.size())) {
    if (!problem.centers.empty()) return std::nullopt;
    if (auto direction = one_sided_direction(problem, free))
      if (auto found = verified(problem, std::move(*direction))) return found;
    return quasi_separation_by_passes(problem, free, d, interrupted);
  }
  const MarginMatrix matrix(problem, std::move(moving));
  std::optional<Separation> found;
  NearbyDirections(matrix).visit(d, [&](math::Vector direction) {
    found = verified(problem, std::move(direction));
    if (found && !holds_centred(matrix, found->direction)) found.reset();
    return found.has_value();
  });
  return found;
}

namespace {

std::optional<Separation> decided_within(const Problem& problem, std::span<const std::uint8_t> free,
                                         WorkLeft& work) {
  if (problem.shape.response == data::Response::number) return std::nullopt;
  if (!problem.choice_ends.empty()) return decided_within(ChoiceDifferences(problem).problem(), free, work);
  if (problem.shape.response == data::Response::labels) {
    const math::Vector none(problem.shape.size(), 0.0);
    return separation_of_labels(
        problem, free, none, [&] { return !work.spend(0); },
        [&](const Problem& one, const auto& own_free, const auto&) {
          return decided_within(one, own_free, work);
        });
  }
  std::vector<std::size_t> moving = indices_of(free);
  if (moving.empty() || !MarginMatrix::fits(problem, moving.size())) return std::nullopt;
  constexpr double writing = 4;  // of an entry, in multiplications
  if (!work.spend(writing * static_cast<double>(moving.size() * problem.x->num_rows()))) return std::nullopt;
  const MarginMatrix matrix(problem, std::move(moving));
  std::vector<Eigen::Index> taken(matrix.moving().size());
  std::iota(taken.begin(), taken.end(), Eigen::Index{0});
  const auto found = separating_direction(matrix.values(), taken, Asked::as_many_as_can, work);
  if (!found) return std::nullopt;
  math::Vector direction = matrix.direction(found->d);
  if (found->every_row)
    if (auto complete = complete_separation(problem, free, direction)) return complete;
  return verified(problem, std::move(direction), of_decided);
}

}  // namespace

std::optional<Separation> decided_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                             const std::function<bool()>& interrupted) {
  constexpr double most_multiplications = 2e9;
  WorkLeft work{.multiplications = most_multiplications, .interrupted = interrupted};
  return decided_within(problem, free, work);
}

Separation as_complete_as_can_be(const Problem& problem, std::span<const std::uint8_t> free, Separation found,
                                 const std::function<bool()>& interrupted) {
  if (found.complete) return found;
  auto decided = decided_separation(problem, free, interrupted);
  return decided && decided->complete ? std::move(*decided) : found;
}

std::optional<Separation> find_separation(const Problem& problem, std::span<const double> coefficients,
                                          const std::function<bool()>& interrupted) {
  const std::vector<std::uint8_t> free = free_coordinates(problem);
  if (auto found = complete_separation(problem, free, coefficients)) return found;
  if (auto found = quasi_separation(problem, free, coefficients, interrupted))
    return as_complete_as_can_be(problem, free, std::move(*found), interrupted);
  return decided_separation(problem, free, interrupted);
}

ClassId separated_class(const Problem& problem, std::span<const double> direction) {
  const model::Shape& shape = problem.shape;
  if (shape.response == data::Response::labels) {
    const auto moves = [](double b) { return b != 0; };
    const auto at = std::find_if(direction.begin(), direction.end(), moves) - direction.begin();
    const auto v = static_cast<std::size_t>(at) % shape.stride();
    return shape.class_of(v < shape.num_vectors() ? v : 0);
  }
  if (shape.num_classes == 2 || shape.response != data::Response::classes) return shape.class_of(0);
  std::vector<std::size_t> parted(shape.num_classes, 0);  // rows from a rival, in which a class is either
  for_each_margin(problem, direction, [&](std::size_t j, std::size_t rival, double margin, double size) {
    if (!(margin > 1e-6 * size)) return;
    ++parted[static_cast<std::size_t>(problem.labels[j])];
    ++parted[rival];
  });
  return static_cast<ClassId>(std::max_element(parted.begin(), parted.end()) - parted.begin());
}

}  // namespace lazylogit::objective
