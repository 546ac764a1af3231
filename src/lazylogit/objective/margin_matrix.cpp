#include "lazylogit/objective/margin_matrix.hpp"

#include <cmath>
#include <utility>

#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/separation_margins.hpp"

namespace lazylogit::objective {

bool MarginMatrix::fits(const Problem& problem, std::size_t num_coordinates) {
  constexpr std::size_t most_coordinates = 1024;
  constexpr double most_entries = 2e7;
  constexpr double most_work = 1e10;  // multiplications for one Gram matrix
  const double entries = static_cast<double>(problem.x->num_rows()) *
                         static_cast<double>((problem.shape.num_classes - 1) * num_coordinates);
  return num_coordinates <= most_coordinates && entries <= most_entries &&
         entries * static_cast<double>(num_coordinates) <= most_work;
}

MarginMatrix::MarginMatrix(const Problem& problem, std::vector<std::size_t> moving)
    : shape_(problem.shape), moving_(std::move(moving)) {
  const model::Shape& shape = problem.shape;
  std::vector<Eigen::Index> position(shape.size(), -1);
  for (std::size_t k = 0; k < moving_.size(); ++k) position[moving_[k]] = static_cast<Eigen::Index>(k);
  bool intercepts_move = shape.has_intercept;
  for (std::size_t v = 0; v < shape.num_vectors() && shape.has_intercept; ++v)
    intercepts_move = intercepts_move && position[shape.intercept_index(v)] >= 0;
  if (problem.centers.empty() && intercepts_move) means_ = moments_of_present_rows(problem).means;
  const std::span<const double> centers = means_.empty() ? problem.centers : means_;
  Eigen::Index pairs = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j)
    if (problem.weight(j) != 0) pairs += static_cast<Eigen::Index>(shape.num_classes) - 1;
  a_ = Eigen::MatrixXd::Zero(pairs, static_cast<Eigen::Index>(moving_.size()));
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
        for (std::size_t f = 0; f < centers.size(); ++f)
          if (const Eigen::Index i = position[shape.index(f, *v)]; i >= 0) a_(at, i) -= sign * centers[f];
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

Eigen::VectorXd MarginMatrix::coordinates(std::span<const double> direction) const {
  math::Vector d(direction.begin(), direction.end());
  if (!means_.empty()) to_centered(shape_, means_, d.data());
  Eigen::VectorXd found(a_.cols());
  for (Eigen::Index i = 0; i < found.size(); ++i)
    found[i] = d[moving_[static_cast<std::size_t>(i)]] / scale_[i];
  return found;
}

math::Vector MarginMatrix::direction(const Eigen::VectorXd& coordinates) const {
  math::Vector direction(shape_.size(), 0.0);
  // In rows that no other coordinate touches rounding would be all there is to judge.
  constexpr double rounding = 1e-10;
  const double least = rounding * coordinates.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < a_.cols(); ++i)
    if (std::abs(coordinates[i]) > least)
      direction[moving_[static_cast<std::size_t>(i)]] = scale_[i] * coordinates[i];
  if (means_.empty()) return normalized(direction);
  std::vector<double> sizes(shape_.num_vectors());
  for (std::size_t v = 0; v < sizes.size(); ++v) {
    sizes[v] = std::abs(direction[shape_.intercept_index(v)]);
    for (std::size_t i = 0; i < shape_.num_features; ++i)
      sizes[v] += std::abs(means_[i] * direction[shape_.index(i, v)]);
  }
  to_original(shape_, means_, direction.data());
  for (std::size_t v = 0; v < sizes.size(); ++v)
    if (double& b = direction[shape_.intercept_index(v)]; std::abs(b) <= rounding * sizes[v]) b = 0;
  return normalized(direction);
}

}  // namespace lazylogit::objective
