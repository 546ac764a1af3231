// How a fit ended. Not converging is a result with a reason, not an exception.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/model/certificate.hpp"

namespace lazylogit::optim {

enum class Termination {
  converged,        // the asked precision is reached and certified
  tolerance,        // stochastic: the relative improvement fell below --tolerance
  max_passes,       // --epochs or the optimizer's own limit
  max_seconds,      // --max-seconds
  plateau,          // --early-stopping: the held-out loss no longer falls
  no_progress,      // the error no longer falls: rounding, or steps of a bad length
  separation,       // no finite optimum: the classes are (quasi-)separated under a uniform prior
  numeric_failure,  // NaN or infinity turned up; the last good coefficients are kept
  cancelled,
};
std::string_view termination_name(Termination reason);  // "converged", "tolerance", …

// What reports hold in place of a number that was not computed.
inline constexpr double not_computed = std::numeric_limits<double>::quiet_NaN();

struct PassLimits {          // what will end the fit at the latest, as far as was asked for
  std::uint64_t passes = 0;  // 0: no number that is worth knowing
  std::optional<double> seconds = {};
  std::optional<double> gap = {};  // the certified relative gap at which it has converged
};

struct PassReport {             // one line of the trace
  std::uint64_t pass = 0;       // passes over the data so far
  double error = 0;             // at the end of the pass, all coefficients caught up
  double online_error = 0;      // stochastic: summed while learning; NaN for batch
  double relative_gap = 0;      // certified; NaN where not computed
  double gradient_norm = 0;     // NaN where not computed
  double learning_rate = 0;     // NaN for batch
  double step = not_computed;   // batch: of the direction, taken by the search
  double holdout_log_loss = 0;  // NaN without held-out data
  double seconds = 0;           // since the fit began; never written into a model
  bool accepted = true;         // false: a trial of a line search that was given up
  PassLimits limits = {};
};

struct FitSummary {
  math::Vector coefficients;
  // The likelihood's part of the error at the coefficients and its gradient (0 where coordinates are fixed), where the
  // fit ended with them at hand; else empty.
  double loss = 0;
  math::Vector gradient;
  std::optional<model::Certificate> certificate;  // of the coefficients, where one was made
  Termination reason = Termination::max_passes;
  std::string message;  // one sentence with the numbers and, unless converged, a next step
  std::uint64_t iterations = 0;
  std::uint64_t passes = 0;
  std::vector<PassReport> trace;
  // Termination::separation: a direction along which the error never rises, and whether it separates every
  // row.
  math::Vector separating_direction;
  bool completely_separated = false;
};

// Sees every pass; may ask to stop. Called from the thread that called the optimizer.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_pass(const PassReport&) {}
  // An evaluation that no step followed.
  virtual void on_trial(const PassReport&) {}
};

}  // namespace lazylogit::optim
