#include "lazylogit/train/fit_run.hpp"

#include <utility>

#include "lazylogit/optim/stochastic/finish.hpp"
#include "lazylogit/train/holdout.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/start.hpp"

namespace lazylogit::train {

FitRun::FitRun(const Prepared& prepared, const TrainOptions& options, const optim::Choice& choice,
               const data::Rows* holdout, optim::Observer& observer, const CancelToken& cancel,
               double seconds)
    : options_(options), choice_(choice), stochastic_(stochastic_settings(options)), clock_(request_) {
  const optim::OptimizerEntry& optimizer = *choice.optimizer;
  if (prepared.bounds) stochastic_.constraints.bounds = &*prepared.bounds;
  request_.problem = prepared.problem();
  request_.gap = options.gap;
  request_.max_passes = options.max_passes;
  request_.batch = batch_settings(options);
  request_.stochastic = optimizer.stochastic ? &stochastic_ : nullptr;
  request_.before.seconds = seconds;
  request_.max_seconds = options.max_seconds;
  if (holdout != nullptr) {
    request_.holdout_log_loss = make_holdout_loss(*holdout, prepared.shape, prepared.centers);
    request_.patience = patience_of(options, &optimizer);
  }
  request_.observer = &observer;
  request_.cancel = cancel;
}

optim::FitSummary FitRun::from(math::Vector start) {
  optim::FitRequest request = request_;
  request.start = start;
  request.own_start = &start;
  request.before = clock_.spent(passes_);
  optim::FitSummary fit = optim::run_choice(choice_, request);
  if (options_.finish > 0 && choice_.optimizer->stochastic) {
    request = request_;
    request.patience =
        patience_of(options_, nullptr);  // they go on to the optimum unless asked to stop before
    fit = optim::finish_exactly(request, clock_, options_.finish, std::move(fit));
  }
  passes_ = fit.passes;
  return fit;
}

math::Vector first_start(const Prepared& prepared, const optim::OptimizerEntry& optimizer) {
  return optimizer.stochastic || !prepared.prior.convex() ? mean_start(prepared) : default_start(prepared);
}

}  // namespace lazylogit::train
