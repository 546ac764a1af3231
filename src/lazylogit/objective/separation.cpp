#include "lazylogit/objective/separation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/choice_differences.hpp"
#include "lazylogit/objective/separation_margins.hpp"

namespace lazylogit::objective {
namespace {

constexpr std::size_t most_coefficients = 1024;
constexpr double most_work = 1e10;  // multiplications for one Gram matrix

// The margins as linear functions of the free coordinates: one row per row of data and other class.
class MarginSystem {
 public:
  MarginSystem(const Problem& problem, const std::vector<std::size_t>& moving) : moving_(moving) {
    const model::Shape& shape = problem.shape;
    std::vector<Eigen::Index> position(shape.size(), -1);
    for (std::size_t k = 0; k < moving.size(); ++k) position[moving[k]] = static_cast<Eigen::Index>(k);
    Eigen::Index pairs = 0;
    for (std::size_t j = 0; j < problem.x->num_rows(); ++j)
      if (problem.weight(j) != 0) pairs += static_cast<Eigen::Index>(shape.num_classes) - 1;
    a_ = Eigen::MatrixXd::Zero(pairs, static_cast<Eigen::Index>(moving.size()));
    Eigen::Index at = 0;
    problem.x->visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j) {
        if (problem.weight(j) == 0) continue;
        const auto row = rows.row(j);
        const auto add_class = [&](ClassId c, double sign) {
          const auto v = shape.vector_of(c);
          if (!v) return;
          for (std::size_t k = 0; k < row.size(); ++k)
            if (const Eigen::Index i = position[shape.index(row.ids[k], *v)]; i >= 0)
              a_(at, i) += sign * row.value(k);
          if (shape.has_intercept)
            if (const Eigen::Index i = position[shape.intercept_index(*v)]; i >= 0) a_(at, i) += sign;
        };
        for (ClassId c = 0; c < static_cast<ClassId>(shape.num_classes); ++c) {
          if (c == problem.labels[j]) continue;
          add_class(problem.labels[j], 1);
          add_class(c, -1);
          ++at;
        }
      }
    });
    scale_ = a_.colwise().norm().transpose();
    for (double& x : scale_) x = x > 0 ? 1 / x : 1.0;
    a_ = a_ * scale_.asDiagonal();
  }

  // Directions along which margins that are at most a fraction of the largest at d are 0, and the others are positive if
  // that can be had: d itself in the null space of the former, and Newton steps on Σ log(1 + e^{−margin}) from there. Which
  // margins should be 0 shows in their size, but not how small is small: `accept` is called with one direction after
  // another until it says true.
  template <class Accept>
  void directions_near(const math::Vector& d, const Accept& accept) const {
    Eigen::VectorXd start(a_.cols());
    for (Eigen::Index i = 0; i < a_.cols(); ++i)
      start[i] = d[moving_[static_cast<std::size_t>(i)]] / scale_[i];
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
      if (accept(direction_of(basis * z, d.size()))) return;
      if (lengthen(reduced, z) && accept(direction_of(basis * z, d.size()))) return;
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

  math::Vector direction_of(const Eigen::VectorXd& found, std::size_t size) const {
    math::Vector direction(size, 0.0);
    // What is rounding must be 0: in rows that no other coordinate touches it would be all there is to judge.
    const double rounding = 1e-10 * found.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < a_.cols(); ++i)
      if (std::abs(found[i]) > rounding)
        direction[moving_[static_cast<std::size_t>(i)]] = scale_[i] * found[i];
    return normalized(direction);
  }

  std::vector<std::size_t> moving_;
  Eigen::MatrixXd a_;      // columns of length 1
  Eigen::VectorXd scale_;  // what the columns were multiplied by
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

namespace {

// Labels do not see each other: each is a problem of two classes, and one that is separated leaves the error without a
// minimum. `find` is called with such problems until it finds something.
template <class Find>
std::optional<Separation> separation_of_labels(const Problem& problem, std::span<const std::uint8_t> free,
                                               std::span<const double> candidate, const Find& find) {
  constexpr std::size_t most_labels = 1000;
  const model::Shape& shape = problem.shape;
  if (shape.num_vectors() > most_labels) return std::nullopt;
  std::vector<ClassId> labels(problem.x->num_rows());
  Problem one = problem;
  one.shape = {.num_features = shape.num_features,
               .num_classes = 2,
               .reference = 0,
               .has_intercept = shape.has_intercept};
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const auto own = (*problem.label_sets)[j];
      labels[j] = std::find(own.begin(), own.end(), static_cast<ClassId>(v)) != own.end() ? 1 : 0;
    }
    one.labels = labels;
    std::vector<std::uint8_t> own_free(shape.num_rows());
    std::vector<double> own_candidate(shape.num_rows());
    for (std::size_t i = 0; i < shape.num_rows(); ++i) {
      own_free[i] = free[shape.index(i, v)];
      own_candidate[i] = candidate[shape.index(i, v)];
    }
    if (auto found = find(one, own_free, own_candidate)) {
      math::Vector direction(shape.size(), 0.0);
      for (std::size_t i = 0; i < shape.num_rows(); ++i) direction[shape.index(i, v)] = found->direction[i];
      return Separation{found->complete, std::move(direction)};
    }
  }
  return std::nullopt;
}

// Free intercepts take up the centers, so that centered columns are separated where the columns as they are do.
std::optional<Separation> quasi_separation_of_centered(const Problem& problem,
                                                       std::span<const std::uint8_t> free,
                                                       std::span<const double> candidate) {
  const model::Shape& shape = problem.shape;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    if (!free[shape.intercept_index(v)]) return std::nullopt;
  Problem plain = problem;
  plain.centers = {};
  math::Vector start = free_part(candidate, free);
  to_original(shape, problem.centers, start.data());
  auto found = quasi_separation(plain, free, start);
  if (found) to_centered(shape, problem.centers, found->direction.data());
  return found;
}

}  // namespace

std::optional<Separation> complete_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                              std::span<const double> candidate) {
  if (problem.shape.response == data::Response::number) return std::nullopt;
  if (!problem.choice_ends.empty())
    return complete_separation(ChoiceDifferences(problem).problem(), free, candidate);
  if (problem.shape.response == data::Response::labels)
    return separation_of_labels(problem, free, candidate, complete_separation);
  Separation separation{true, free_part(candidate, free)};
  bool positive = true;
  for_each_margin(problem, separation.direction, [&](std::size_t, std::size_t, double margin, double size) {
    positive = positive && margin > 1e-12 * size;
  });
  if (!positive) return std::nullopt;
  return separation;
}

std::optional<Separation> quasi_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                           std::span<const double> candidate) {
  if (problem.shape.response == data::Response::number) return std::nullopt;
  if (!problem.choice_ends.empty())
    return quasi_separation(ChoiceDifferences(problem).problem(), free, candidate);
  if (problem.shape.response == data::Response::labels)
    return separation_of_labels(problem, free, candidate, quasi_separation);
  if (!problem.centers.empty()) return quasi_separation_of_centered(problem, free, candidate);
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < free.size(); ++i)
    if (free[i]) moving.push_back(i);
  if (moving.empty()) return std::nullopt;
  const double entries = static_cast<double>(problem.x->num_rows()) *
                         static_cast<double>((problem.shape.num_classes - 1) * moving.size());
  const math::Vector d = free_part(candidate, free);
  if (moving.size() > most_coefficients || entries > 2e7 ||
      entries * static_cast<double>(moving.size()) > most_work)
    return quasi_separation_by_passes(problem, free, d);
  const MarginSystem system(problem, moving);
  std::optional<Separation> found;
  system.directions_near(d, [&](math::Vector direction) {
    found = verified(problem, std::move(direction));
    return found.has_value();
  });
  return found;
}

}  // namespace lazylogit::objective
