// One fit of prepared data as the options ask for it: what every command that fits has in common.
//
// The epochs of a head start, the optimizer with its settings, bounds and limits, the held-out rows that it watches, and
// the exact steps of --finish. Time and passes are counted over all of these, and over further starts.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

class FitRun {
 public:
  // Begins now, `seconds` after the caller did. All but the last must outlive the run; `holdout` may be null.
  FitRun(const Prepared& prepared, const TrainOptions& options, const optim::Choice& choice,
         const data::Rows* holdout, optim::Observer& observer, const CancelToken& cancel, double seconds = 0);
  FitRun(const FitRun&) = delete;
  FitRun& operator=(const FitRun&) = delete;

  // What a caller may add to: names, patience.
  optim::FitRequest& request() noexcept { return request_; }

  // From this start; may be called again for others.
  optim::FitSummary from(math::Vector start);

  bool out_of_time() const { return clock_.out_of_time(); }
  double seconds() const { return clock_.seconds(); }

 private:
  const TrainOptions& options_;
  const optim::Choice& choice_;
  optim::StochasticSettings stochastic_;
  optim::FitRequest request_;
  optim::FitClock clock_;
  std::uint64_t passes_ = 0;  // of earlier starts
};

// Where the optimizer begins without a model to go on from.
math::Vector first_start(const Prepared& prepared, const optim::OptimizerEntry& optimizer);

}  // namespace lazylogit::train
