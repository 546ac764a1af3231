#include "lazylogit/optim/coordinate/coordinate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lazylogit/data/transpose.hpp"
#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"
#include "lazylogit/optim/coordinate/newton_on_set.hpp"
#include "lazylogit/optim/coordinate/working_set.hpp"

namespace lazylogit::optim {
namespace {

// How many coefficients may leave their kinks in one round: few at first, when the gradient says little about
// the support, then about as many as have left already.
std::size_t room_for(const std::vector<Term>& terms) { return std::max<std::size_t>(500, terms.size()); }

// How precisely the model is minimized: roughly at first, and ever better near the optimum, where Newton steps converge
// quadratically.
double forcing(const Point& point, double first_slope) {
  return std::clamp(2 * std::sqrt(max_abs(point.pseudo) / first_slope), 0.01, 0.2);
}

// Whether rounds still lead anywhere: the error or the largest derivative has fallen lately.
class Progress {
 public:
  bool stalled(const Point& point) {
    const double slope = max_abs(point.pseudo);
    if (point.error < error_ - 1e-14 * std::abs(error_) || slope < 0.9 * slope_) {
      error_ = std::min(error_, point.error);
      slope_ = std::min(slope_, slope);
      idle_ = 0;
    }
    return ++idle_ > most_idle;
  }

 private:
  static constexpr int most_idle = 16;
  double error_ = std::numeric_limits<double>::infinity(), slope_ = error_;
  int idle_ = 0;
};

}  // namespace

FitSummary run_coordinate(const FitRequest& request) {
  constexpr int refresh_every = 10;
  Descent descent(request);
  std::optional<Termination> end = descent.check();
  if (end) return descent.finish(*end);
  const data::SparseMatrix columns = data::transposed(*request.problem.x);
  NewtonOnSet newton(request.problem, columns, descent.point().b);
  const double first_slope = max_abs(descent.point().pseudo);
  std::vector<Term> terms;
  Progress progress;
  for (int round = 1; !end; ++round) {
    terms = working_set(descent, newton.intercepts(), room_for(terms));
    newton.step(terms, forcing(descent.point(), first_slope), [&] { return descent.interrupted(); });
    if (round % refresh_every == 0) newton.refresh();
    descent.move_to(newton.b());
    end = descent.check();
    if (!end && progress.stalled(descent.point())) end = Termination::no_progress;
  }
  return descent.finish(*end);
}

}  // namespace lazylogit::optim
