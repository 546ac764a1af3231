#include "lazylogit/objective/nearest_in_cone.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

namespace lazylogit::objective {
namespace {

// Columns q r of the active rows, q with orthonormal columns, r upper triangular.
class ActiveRows {
 public:
  explicit ActiveRows(const Eigen::MatrixXd& columns)
      : columns_(columns), most_(columns.rows()), q_(columns.rows(), most_), r_(most_, most_) {}

  Eigen::Index size() const noexcept { return static_cast<Eigen::Index>(rows_.size()); }
  const std::vector<Eigen::Index>& rows() const noexcept { return rows_; }
  double cost() const noexcept { return 4.0 * static_cast<double>(columns_.rows() * (size() + 1)); }

  // False: the row depends on those that are active.
  bool add(Eigen::Index row) {
    constexpr double dependent = 1e-11;
    const Eigen::Index k = size();
    if (k == most_) return false;
    Eigen::VectorXd left = columns_.col(row);
    r_.col(k).setZero();
    for (int twice = 0; twice < 2; ++twice) {  // what one subtraction leaves by rounding, the second takes
      const Eigen::VectorXd part = q_.leftCols(k).transpose() * left;
      left -= q_.leftCols(k) * part;
      r_.col(k).head(k) += part;
    }
    const double length = left.norm();
    if (!(length > dependent)) return false;
    r_(k, k) = length;
    q_.col(k) = left / length;
    rows_.push_back(row);
    return true;
  }
  // Those from the first that leaves on are factored anew.
  template <class Leaves>
  void remove(const Leaves& leaves) {
    std::vector<Eigen::Index> old;
    old.swap(rows_);
    bool same = true;
    for (std::size_t k = 0; k < old.size(); ++k) {
      if (leaves(static_cast<Eigen::Index>(k))) {
        same = false;
        continue;
      }
      if (same)
        rows_.push_back(old[k]);
      else
        add(old[k]);
    }
  }
  Eigen::VectorXd multipliers(const Eigen::VectorXd& s) const {  // of s + Σ λ_j a_j of least length
    const Eigen::Index k = size();
    const Eigen::VectorXd part = -(q_.leftCols(k).transpose() * s);
    return r_.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(part);
  }
  Eigen::VectorXd orthogonal_part(Eigen::VectorXd s) const {
    for (int twice = 0; twice < 2; ++twice)
      s -= q_.leftCols(size()) * (q_.leftCols(size()).transpose() * s).eval();
    return s;
  }

 private:
  const Eigen::MatrixXd& columns_;
  Eigen::Index most_;
  Eigen::MatrixXd q_, r_;
  std::vector<Eigen::Index> rows_;
};

}  // namespace

std::optional<Eigen::VectorXd> nearest_in_cone(const Eigen::MatrixXd& columns, const Eigen::VectorXd& s,
                                               WorkLeft& work) {
  constexpr double rounding = 1e-10;
  const Eigen::Index most_steps = 100 + 5 * columns.rows();
  ActiveRows active(columns);
  Eigen::VectorXd lambda(0), d = s;
  std::vector<bool> refused(static_cast<std::size_t>(columns.cols()), false);
  for (Eigen::Index step = 0; step < most_steps; ++step) {
    if (!work.spend(static_cast<double>(columns.size()) + active.cost())) return std::nullopt;
    const double length = d.norm();
    if (!(length > rounding * s.norm())) return Eigen::VectorXd::Zero(s.size());
    Eigen::VectorXd margins = columns.transpose() * d;
    for (const Eigen::Index row : active.rows()) margins[row] = 0;
    for (Eigen::Index j = 0; j < margins.size(); ++j)
      if (refused[static_cast<std::size_t>(j)]) margins[j] = std::max(0.0, margins[j]);
    Eigen::Index worst = 0;
    if (margins.size() == 0 || margins.minCoeff(&worst) >= -rounding * length) return d;
    if (!active.add(worst)) {
      refused[static_cast<std::size_t>(worst)] = true;
      continue;
    }
    lambda.conservativeResize(active.size());
    lambda[active.size() - 1] = 0;
    for (;;) {
      const Eigen::VectorXd wanted = active.multipliers(s);
      double share = 1;
      for (Eigen::Index k = 0; k < wanted.size(); ++k)
        if (wanted[k] <= 0) share = std::min(share, lambda[k] / std::max(1e-300, lambda[k] - wanted[k]));
      if (share >= 1) {
        lambda = wanted;
        break;
      }
      const Eigen::VectorXd moved = lambda + share * (wanted - lambda);
      const double zero = 1e-14 * moved.cwiseAbs().maxCoeff();
      std::vector<double> kept;
      const auto leaves = [&](Eigen::Index k) { return wanted[k] <= 0 && moved[k] <= zero; };
      for (Eigen::Index k = 0; k < moved.size(); ++k)
        if (!leaves(k)) kept.push_back(moved[k]);
      const auto before = static_cast<double>(active.size());
      active.remove(leaves);
      if (active.size() != static_cast<Eigen::Index>(kept.size()) ||
          static_cast<double>(active.size()) == before)
        return std::nullopt;
      if (!work.spend(before * active.cost())) return std::nullopt;
      lambda = Eigen::Map<const Eigen::VectorXd>(kept.data(), static_cast<Eigen::Index>(kept.size()));
    }
    // A row that left at once would come back for ever.
    if (std::find(active.rows().begin(), active.rows().end(), worst) == active.rows().end())
      refused[static_cast<std::size_t>(worst)] = true;
    else
      std::fill(refused.begin(), refused.end(), false);
    d = active.orthogonal_part(s);
  }
  return std::nullopt;
}

}  // namespace lazylogit::objective
