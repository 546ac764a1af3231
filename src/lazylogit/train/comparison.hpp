// Several optimizers on one problem: who reaches which precision when.
//
// All start from the same point under the same options. The relative gap of an evaluation is
// (error − L)/error with L the largest lower bound that any of the runs proved; where none is proved (Cauchy, or bounds
// on coefficients, which certificates know nothing of) L is the lowest error found, and `proved` is false. Seconds are
// those of the fit alone, without reading: choosing the optimizer, epochs ahead of it and exact steps after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

struct Evaluated {  // one line of a trace
  optim::PassReport report;
  double cpu_seconds = 0;  // of all threads, since the fit began
  double gap = 0;          // relative, against the common lower bound
};

struct Contestant {
  std::string asked;      // as named: "auto" stays "auto"
  std::string optimizer;  // the one that ran
  std::string reason;     // why "auto" took it; empty for others
  std::string termination, message;
  std::vector<Evaluated> trace;
  double seconds = 0, cpu_seconds = 0;  // of the whole fit
  std::uint64_t passes = 0;
  double error = 0;
  double gap = 0;  // of the result
  double accuracy =
      0;  // weighted, on the held-out rows where there are some, else on the training rows; of numbers R²
  // The first evaluation whose gap is at most `gap`, and none that is larger follows.
  const Evaluated* reached(double gap) const;
};

struct Comparison {
  bool numbers = false;  // labels are numbers
  std::vector<Contestant> contestants;
  double lower_bound = 0;
  bool proved = false;
  bool constrained = false;  // by --bounds or --max-norm
};

struct Entrants {
  std::vector<std::string> names;
  bool named = false;  // by the caller, not all there are
};

// The optimizers that can be compared under these options: names given, or without any "auto" and all that
// accept the prior and the constraints. Throws ConfigError for unknown names, doubles, an optimizer that refuses them,
// and options that mean nothing to any of them.
Entrants comparable_optimizers(const std::vector<std::string>& names, const TrainOptions& options);

// `options.optimizer` is not looked at; an option applies to the optimizers that know it. Each run has --max-seconds for
// itself, and none ends early on held-out rows unless --early-stopping asks for it. A cancelled comparison throws. An
// optimizer that cannot take this data is left out with a notice, or refused before any run where it was named.
Comparison compare(data::Dataset& data, const TrainOptions& options, const Entrants& entrants,
                   const data::Rows* holdout, optim::Observer& observer, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::train
