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

// Rows that may become active: those that were the most violated when all were looked at last.
class Candidates {
 public:
  explicit Candidates(const Eigen::MatrixXd& columns) : columns_(columns) {}

  // The most violated candidate, or of all rows where no candidate is; -1: none is below `bound`. Nothing: no work is left.
  std::optional<Eigen::Index> worst(const Eigen::VectorXd& d, double bound, const std::vector<bool>& refused,
                                    WorkLeft& work) {
    if (!work.spend(static_cast<double>(rows_.size()) * static_cast<double>(d.size()))) return std::nullopt;
    Eigen::Index found = -1;
    double lowest = bound;
    for (const Eigen::Index row : rows_) {
      if (refused[static_cast<std::size_t>(row)]) continue;
      if (const double margin = columns_.col(row).dot(d); margin < lowest) lowest = margin, found = row;
    }
    if (found >= 0) return found;
    if (!work.spend(static_cast<double>(columns_.size()))) return std::nullopt;
    const Eigen::VectorXd margins = columns_.transpose() * d;
    rows_.clear();
    for (Eigen::Index row = 0; row < margins.size(); ++row)
      if (margins[row] < bound && !refused[static_cast<std::size_t>(row)]) rows_.push_back(row);
    const auto before = [&](Eigen::Index a, Eigen::Index b) {
      return margins[a] != margins[b] ? margins[a] < margins[b] : a < b;
    };
    const auto most = static_cast<std::size_t>(50 + 4 * d.size());
    if (rows_.size() > most) {
      std::nth_element(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(most), rows_.end(), before);
      rows_.resize(most);
    }
    return rows_.empty() ? -1 : *std::min_element(rows_.begin(), rows_.end(), before);
  }

 private:
  const Eigen::MatrixXd& columns_;
  std::vector<Eigen::Index> rows_;
};

}  // namespace

std::optional<Eigen::VectorXd> nearest_in_cone(const Eigen::MatrixXd& columns, const Eigen::VectorXd& s,
                                               WorkLeft& work) {
  constexpr double rounding = 1e-10;
  const Eigen::Index most_steps = 1000 + 20 * columns.rows();
  ActiveRows active(columns);
  Eigen::VectorXd lambda(0), d = s;
  std::vector<bool> refused(static_cast<std::size_t>(columns.cols()), false);
  Candidates candidates(columns);
  for (Eigen::Index step = 0; step < most_steps; ++step) {
    if (!work.spend(active.cost())) return std::nullopt;
    const double length = d.norm();
    if (!(length > rounding * s.norm())) return Eigen::VectorXd::Zero(s.size());
    const auto next = candidates.worst(d, -rounding * length, refused, work);
    if (!next) return std::nullopt;
    if (*next < 0) return d;
    const Eigen::Index worst = *next;
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
