#include "lazylogit/optim/batch/kinked_quadratic.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lazylogit/math/kink.hpp"

namespace lazylogit::optim {
namespace {

class Minimizer {
 public:
  explicit Minimizer(const KinkedQuadratic& quadratic)
      : q_(quadratic),
        size_(quadratic.start.size()),
        now_(quadratic.start.begin(), quadratic.start.end()),
        slope_(quadratic.gradient.begin(), quadratic.gradient.end()) {}

  // The largest move, in units of the coordinate's own curvature.
  double sweep(bool whole) {
    double largest = 0;
    for (std::size_t i = 0; i < size_; ++i)
      if (moves(i) && (whole || !rests(i))) largest = std::max(largest, improve(i));
    return largest;
  }

  // To the minimum over the coordinates that do not rest, or to where the kinks on the way hold against it.
  void step_on_face() {
    std::vector<std::size_t> face;
    for (std::size_t i = 0; i < size_; ++i)
      if (moves(i) && !rests(i)) face.push_back(i);
    const auto side = static_cast<Eigen::Index>(face.size());
    if (side == 0) return;
    Eigen::MatrixXd h(side, side);
    Eigen::VectorXd downhill(side);
    for (Eigen::Index a = 0; a < side; ++a) {
      const std::size_t i = face[static_cast<std::size_t>(a)];
      for (Eigen::Index b = 0; b <= a; ++b) h(a, b) = row(i)[face[static_cast<std::size_t>(b)]];
      h(a, a) *= 1 + 1e-13;
      downhill(a) = -(slope_[i] + q_.slopes[i] * math::sign(now_[i]));
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(h);
    if (factor.info() != Eigen::Success) return;
    const Eigen::VectorXd step = factor.solve(downhill);
    if (!step.allFinite()) return;
    go_along(face, step, downhill.dot(step));
  }

  math::Vector taken() const {
    math::Vector x(size_);
    for (std::size_t i = 0; i < size_; ++i) x[i] = now_[i] - q_.start[i];
    return x;
  }

 private:
  const double* row(std::size_t i) const noexcept { return q_.matrix.data() + i * size_; }
  bool moves(std::size_t i) const noexcept { return (q_.fixed.empty() || !q_.fixed[i]) && row(i)[i] > 0; }
  bool rests(std::size_t i) const noexcept { return q_.slopes[i] > 0 && now_[i] == 0; }

  void change(std::size_t i, double by) {
    const double* h = row(i);
    for (std::size_t k = 0; k < size_; ++k) slope_[k] += by * h[k];
  }

  double improve(std::size_t i) {
    const double h = row(i)[i], next = math::soft_threshold(now_[i] - slope_[i] / h, q_.slopes[i] / h);
    const double by = next - now_[i];
    if (by == 0 || !std::isfinite(next)) return 0;
    now_[i] = next;
    change(i, by);
    return std::abs(by) * std::sqrt(h);
  }

  // The slope along the step is −promised at first, 0 at its end if there is no kink before, and rises by 2 l |step| at
  // each kink.
  void go_along(const std::vector<std::size_t>& face, const Eigen::VectorXd& step, double promised) {
    if (!(promised > 0)) return;  // the minimum already
    std::vector<std::pair<double, std::size_t>> kinks;
    for (std::size_t a = 0; a < face.size(); ++a) {
      const double by = step(static_cast<Eigen::Index>(a)), at = -now_[face[a]] / by;
      if (q_.slopes[face[a]] > 0 && at > 0 && at < 1) kinks.emplace_back(at, a);
    }
    std::sort(kinks.begin(), kinks.end());
    double t = 1, risen = 0;
    std::size_t at_kink = face.size();
    for (const auto& [at, a] : kinks) {
      if (promised * (at - 1) + risen >= 0) break;
      risen += 2 * q_.slopes[face[a]] * std::abs(step(static_cast<Eigen::Index>(a)));
      if (promised * (at - 1) + risen < 0) continue;
      at_kink = a;
      t = at;
      break;
    }
    if (at_kink == face.size()) t = std::clamp(1 - risen / promised, 0.0, 1.0);
    for (std::size_t a = 0; a < face.size(); ++a) {
      const double by = t * step(static_cast<Eigen::Index>(a));
      change(face[a], by);
      now_[face[a]] = a == at_kink ? 0.0 : now_[face[a]] + by;
    }
  }

  const KinkedQuadratic& q_;
  std::size_t size_;
  math::Vector now_, slope_;  // start + x; g + H x
};

}  // namespace

math::Vector minimum_of(const KinkedQuadratic& quadratic, double precision,
                        const std::function<bool()>& interrupted) {
  constexpr int most_rounds = 50, sweeps_before_factor = 3;
  Minimizer minimizer(quadratic);
  const double first = minimizer.sweep(true);
  double largest = first;
  for (int round = 0; round < most_rounds && largest > precision * first && !interrupted(); ++round) {
    for (int k = 0; k < sweeps_before_factor && largest > precision * first; ++k)
      largest = minimizer.sweep(false);
    if (largest > precision * first) minimizer.step_on_face();
    largest = minimizer.sweep(true);
  }
  return minimizer.taken();
}

}  // namespace lazylogit::optim
