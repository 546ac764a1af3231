#include "lazylogit/optim/batch/bfgs.hpp"

#include <Eigen/Core>
#include <cmath>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {
namespace {

using VectorMap = Eigen::Map<const Eigen::VectorXd>;

VectorMap view(const math::Vector& v) { return {v.data(), static_cast<Eigen::Index>(v.size())}; }

class InverseHessian {
 public:
  InverseHessian(const math::Vector& diagonal, double phi) : diagonal_(view(diagonal)), phi_(phi) {
    restart();
  }

  void restart() {
    matrix_ = diagonal_.asDiagonal();
    fresh_ = true;
  }
  bool fresh() const { return fresh_; }

  void direction(const math::Vector& gradient, math::Vector& d) const {
    const Eigen::VectorXd product = matrix_.selfadjointView<Eigen::Lower>() * view(gradient);
    d.resize(gradient.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = -product[static_cast<Eigen::Index>(i)];
  }

  void update(const Point& before, const Point& after) {
    const Eigen::VectorXd s = view(after.b) - view(before.b);
    const Eigen::VectorXd y = view(after.gradient) - view(before.gradient);
    const double sy = s.dot(y);
    if (!(sy > 1e-12 * s.norm() * y.norm())) return;  // curvature lost in rounding, or a Cauchy prior's tails
    const Eigen::VectorXd hy = matrix_.selfadjointView<Eigen::Lower>() * y;
    const double yhy = y.dot(hy);
    if (!(yhy > 0)) return restart();
    const Eigen::VectorXd v = s / sy - hy / yhy;
    auto lower = matrix_.selfadjointView<Eigen::Lower>();
    lower.rankUpdate(hy, -1 / yhy);
    lower.rankUpdate(s, 1 / sy);
    lower.rankUpdate(v, (1 - phi_) * yhy);
    fresh_ = false;
  }

 private:
  Eigen::VectorXd diagonal_;
  Eigen::MatrixXd matrix_;  // lower triangle
  double phi_;
  bool fresh_ = true;
};

}  // namespace

FitSummary run_bfgs(const FitRequest& request) {
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  InverseHessian inverse(inverse_diagonal(descent), request.batch.broyden);
  math::Vector direction;
  for (;;) {
    inverse.direction(descent.point().pseudo(), direction);
    for (std::size_t i = 0; i < direction.size(); ++i)
      if (!descent.free(i)) direction[i] = 0;
    if (!descent.search(direction, 1, SearchRule::strong_wolfe(0.9))) {
      if (inverse.fresh() || descent.interrupted()) return descent.finish(Termination::no_progress);
      inverse.restart();
      continue;
    }
    inverse.update(descent.previous(), descent.point());
    if (const auto end = descent.check()) return descent.finish(*end);
  }
}

}  // namespace lazylogit::optim
