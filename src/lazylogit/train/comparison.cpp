#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/processor_time.hpp"
#include "lazylogit/eval/label_evaluation.hpp"
#include "lazylogit/eval/number_evaluation.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/train/comparison.hpp"
#include "lazylogit/train/holdout.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/option_owners.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/start.hpp"

namespace lazylogit::train {
namespace {

// Stamps every report with the processor time and hands it on.
class Recorder final : public optim::Observer {
 public:
  Recorder(optim::Observer& next, std::vector<Evaluated>& trace)
      : next_(next), trace_(trace), began_(processor_seconds()) {}
  void on_pass(const optim::PassReport& report) override {
    trace_.push_back({report, seconds(), 0});
    next_.on_pass(report);
  }
  void on_trial(const optim::PassReport& report) override { trace_.push_back({report, seconds(), 0}); }
  double seconds() const { return processor_seconds() - began_; }

 private:
  optim::Observer& next_;
  std::vector<Evaluated>& trace_;
  double began_;
};

// Share of rows whose class is right; of decisions that are, where there are several labels; R² of numbers.
double accuracy_of(const model::Model& model, const data::Rows& rows, std::span<const double> weights) {
  model::Predictions predictions;
  if (model.shape.response == data::Response::number) {
    model::Predictor(model).predict(rows, model::Predictor::Detail::decisions, predictions);
    eval::NumberEvaluator evaluator;
    evaluator.add(rows, predictions);
    return evaluator.finish().r2.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  if (model.shape.response == data::Response::labels) {
    std::vector<double> scores(rows.num_rows() * model.classes.size());
    model::Predictor(model).scores(rows, scores);
    eval::LabelEvaluator evaluator(model.classes.size(), 0.5);
    evaluator.add(rows, scores);
    return 1 - evaluator.finish(0).hamming_loss.value_or(std::numeric_limits<double>::quiet_NaN());
  }
  model::Predictor(model).predict(rows, model::Predictor::Detail::decisions, predictions);
  double correct = 0, all = 0;
  for (std::size_t j = 0; j < rows.num_rows(); ++j) {
    const double w = weights.empty() ? 1.0 : weights[j];
    all += w;
    if (predictions.best[j] == rows.labels[j]) correct += w;
  }
  return all > 0 ? correct / all : std::numeric_limits<double>::quiet_NaN();
}

double relative_gap(double error, double lower_bound) {
  return error > 0 ? std::max(0.0, error - lower_bound) / error : 0.0;
}

std::vector<std::string> runnable(const Entrants& entrants, const objective::Problem& problem, Log& log) {
  std::vector<std::string> names;
  for (const std::string& name : entrants.names) {
    if (name != "auto") {
      const optim::OptimizerEntry& entry = optim::find_optimizer(name, "optimizers");
      if (const auto reason = entry.refuses(conditions_of(problem))) {
        if (entrants.named) throw ConfigError(*reason, "optimizers");
        log.notice("left out: " + *reason);
        continue;
      }
    }
    names.push_back(name);
  }
  return names;
}

void measure_gaps(Comparison& comparison) {
  for (Contestant& contestant : comparison.contestants) {
    contestant.gap = relative_gap(contestant.error, comparison.lower_bound);
    for (Evaluated& line : contestant.trace)
      line.gap = relative_gap(line.report.error, comparison.lower_bound);
  }
}

}  // namespace

const Evaluated* Contestant::reached(double at_most) const {
  const Evaluated* first = nullptr;
  for (const Evaluated& line : trace) {
    if (!line.report.accepted) continue;
    if (!(line.gap <= at_most))
      first = nullptr;
    else if (first == nullptr)
      first = &line;
  }
  return first;
}

Entrants comparable_optimizers(const std::vector<std::string>& names, const TrainOptions& options) {
  const prior::PriorTable prior = sample_prior(options);
  const optim::Conditions conditions = conditions_of(options, prior);
  const bool files_decide = !options.prior_file.empty();  // and compare() asks again
  std::vector<std::string> chosen = names;
  if (names.empty()) {
    chosen.emplace_back("auto");
    for (const optim::OptimizerEntry& entry : optim::optimizers())
      if (files_decide || !entry.lacks(conditions)) chosen.emplace_back(entry.name);
  }
  for (const std::string& name : chosen) {
    if (std::count(chosen.begin(), chosen.end(), name) > 1)
      throw ConfigError(fmt::format("{} is named twice", quote_text(name)), "optimizers");
    if (name != "auto")
      if (const auto reason = optim::find_optimizer(name, "optimizers").refuses(conditions);
          reason && !files_decide)
        throw ConfigError(*reason, "optimizers");
  }
  check_some_use(options, chosen);
  return {std::move(chosen), !names.empty()};
}

Comparison compare(data::Dataset& data, const TrainOptions& options, const Entrants& entrants,
                   const data::Rows* holdout, optim::Observer& observer, Log& log,
                   const CancelToken& cancel) {
  const math::KeepBlocks keep_blocks;
  check_options(options);
  const Prepared prepared = prepare(data, options, log);
  const objective::Problem problem = prepared.problem();
  const optim::StochasticSettings stochastic = stochastic_settings(options);
  Comparison comparison;
  comparison.lower_bound = -std::numeric_limits<double>::infinity();
  comparison.proved = false;
  comparison.numbers = prepared.shape.response == data::Response::number;
  double lowest = std::numeric_limits<double>::infinity();
  model::Model model;
  model.shape = prepared.shape;
  model.classes = data.classes;
  for (const std::string& name : runnable(entrants, problem, log)) {
    Contestant contestant;
    contestant.asked = name;
    const optim::Choice choice = choice_of(name, problem);
    contestant.reason = choice.reason;
    const optim::OptimizerEntry& entry = *choice.optimizer;
    const math::Vector start =
        entry.stochastic || !prepared.prior.convex() ? mean_start(prepared) : default_start(prepared);
    contestant.optimizer = entry.name;
    Recorder recorder(observer, contestant.trace);
    optim::FitRequest request;
    request.problem = problem;
    request.start = start;
    request.gap = options.gap;
    request.max_passes = options.max_passes;
    request.batch = batch_settings(options);
    request.batch.may_change = name == "auto";
    request.stochastic = entry.stochastic ? &stochastic : nullptr;
    request.max_seconds = options.max_seconds;
    if (holdout != nullptr)
      request.holdout_log_loss = make_holdout_loss(*holdout, prepared.shape, prepared.centers);
    request.patience = patience_of(options, nullptr);
    request.observer = &recorder;
    request.cancel = cancel;
    const auto began = std::chrono::steady_clock::now();
    optim::FitSummary fit = optim::run_choice(choice, request);
    contestant.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    contestant.cpu_seconds = recorder.seconds();
    cancel.throw_if_cancelled();
    contestant.passes = fit.passes;
    contestant.termination = optim::termination_name(fit.reason);
    contestant.message = std::move(fit.message);
    model.coefficients = prepared.original(fit.coefficients);
    const model::Certificate certificate = objective::certify(problem, fit.coefficients);
    contestant.error = certificate.error;
    lowest = std::min(lowest, certificate.error);
    if (certificate.relative_gap) {
      comparison.proved = true;
      comparison.lower_bound = std::max(comparison.lower_bound, certificate.lower_bound.value_or(0));
    }
    contestant.accuracy = holdout != nullptr ? accuracy_of(model, *holdout, holdout->weights.span())
                                             : accuracy_of(model, data, prepared.weights);
    comparison.contestants.push_back(std::move(contestant));
  }
  if (!comparison.proved) comparison.lower_bound = lowest;
  measure_gaps(comparison);
  return comparison;
}

}  // namespace lazylogit::train
