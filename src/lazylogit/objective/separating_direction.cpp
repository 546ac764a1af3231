#include "lazylogit/objective/separating_direction.hpp"

#include <algorithm>
#include <vector>

namespace lazylogit::objective {

std::optional<SeparatingDirection> separating_direction(const Eigen::MatrixXd& margins,
                                                        std::span<const Eigen::Index> taken, Asked asked,
                                                        WorkLeft& work) {
  constexpr double rounding = 1e-13, positive = 1e-9;
  constexpr int most_rounds = 1000;
  const auto size = static_cast<Eigen::Index>(taken.size());
  constexpr double copying = 4;  // of an entry, in multiplications
  if (!work.spend(copying * static_cast<double>(size * margins.rows()))) return std::nullopt;
  // Margins that no coordinate moves stay 0; the others are brought to one length, which changes no sign.
  Eigen::MatrixXd columns(size, margins.rows());
  for (Eigen::Index k = 0; k < size; ++k)
    columns.row(k) = margins.col(taken[static_cast<std::size_t>(k)]).transpose();
  Eigen::Index kept = 0;
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    const double length = columns.col(j).norm();
    if (length > rounding) columns.col(kept++) = columns.col(j) / length;
  }
  const bool all_move = kept == columns.cols();
  if (kept == 0) return std::nullopt;
  columns.conservativeResize(Eigen::NoChange, kept);
  SeparatingDirection found{Eigen::VectorXd::Zero(size)};
  bool any = false;
  std::vector<bool> open(static_cast<std::size_t>(kept), true);  // margins that are not positive yet
  constexpr double passes = 4;                                   // over all margins, in every round
  for (int round = 0; round < most_rounds; ++round) {
    if (!work.spend(passes * static_cast<double>(size * kept))) return std::nullopt;
    Eigen::VectorXd s = Eigen::VectorXd::Zero(size);
    for (Eigen::Index j = 0; j < kept; ++j)
      if (open[static_cast<std::size_t>(j)]) s += columns.col(j);
    const auto d = nearest_in_cone(columns, s, work);
    if (!d) return std::nullopt;
    const double largest = (columns.transpose() * *d).maxCoeff();
    if (!(largest > 0)) break;
    const Eigen::VectorXd together = found.d + *d / largest;
    const Eigen::VectorXd now = columns.transpose() * together;
    const double least = positive * now.maxCoeff();
    bool more = false, all = true;
    for (Eigen::Index j = 0; j < kept; ++j) {
      const bool is_open = !(now[j] > least);
      more = more || (open[static_cast<std::size_t>(j)] && !is_open);
      all = all && !is_open;
      open[static_cast<std::size_t>(j)] = is_open;
    }
    if (!more) break;
    any = true;
    found.d = together;
    found.every_row = all && all_move;
    if (all || asked == Asked::some_rows) break;
  }
  if (!any) return std::nullopt;
  return found;
}

}  // namespace lazylogit::objective
