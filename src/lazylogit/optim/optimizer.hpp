// What every optimizer takes and returns. One request, one summary; nothing here knows readers, files or
// commands.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/batch/batch_settings.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/needs.hpp"

namespace lazylogit::optim {

struct StochasticSettings;  // optim/stochastic/

// What earlier stages of a fit took.
struct Spent {
  std::uint64_t passes = 0;
  double seconds = 0;
};

struct FitRequest {
  objective::Problem problem;
  std::span<const double> start;  // problem.shape.size() coefficients; pinned ones at their means
  // Where the start lies, if the fit may go on in its memory; then only once. What is left there has no meaning.
  math::Vector* own_start = nullptr;

  // Exact optimizers: stop when the certified relative gap (error − lower bound)/error is at most `gap`.
  double gap = 1e-6;
  // newton and irls: a step or two beyond that proof where they cost next to nothing. A gap g still leaves coefficients off by
  // about √g; these steps give the digits that other statistical programs print.
  bool refine = false;
  std::optional<std::uint64_t> max_passes;
  std::optional<std::uint64_t> max_steps;  // newton and lbfgs: most steps
  objective::CertificateNames names;       // of what certificates speak of
  BatchSettings batch;
  // Stochastic optimizers: all their settings; nothing for exact ones.
  const StochasticSettings* stochastic = nullptr;

  Spent before;                       // reports, the summary's passes and max_seconds count on from here
  std::optional<double> max_seconds;  // of all stages together
  std::function<double(std::span<const double>)> holdout_log_loss;  // empty: no held-out data
  std::optional<std::uint64_t> patience;  // stop when the held-out loss has not fallen for so many passes
  Observer* observer = nullptr;           // may be null
  CancelToken cancel;
};

struct OptimizerEntry {
  std::string_view name;
  std::string_view help;
  bool stochastic;
  Needs needs;
  FitSummary (*run)(const FitRequest& request);

  // The first need that is not met, or null.
  const NeedEntry* lacks(const Conditions& conditions) const;
  // The same as a sentence that says which optimizers do without, of the same kind if there are any; or nothing.
  std::optional<std::string> refuses(const Conditions& conditions) const;
  std::optional<std::string> refuses(const prior::PriorTable& prior) const {
    return refuses(Conditions{.prior = prior});
  }
};

}  // namespace lazylogit::optim
