#include "lazylogit/train/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/processor_time.hpp"
#include "lazylogit/eval/label_evaluation.hpp"
#include "lazylogit/eval/number_evaluation.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/train/fit_run.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/option_owners.hpp"
#include "lazylogit/train/prepared.hpp"

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

// Each sentence once.
void warn_of_schedule(const std::vector<std::string>& names, const TrainOptions& options, Log& log) {
  std::set<std::string> told;
  for (const std::string& name : names)
    if (const auto warning = schedule_warning(known_to(options, name), name))
      if (told.insert(warning->message + warning->hint).second) log.warning(*warning);
}

// The lower bound of all runs, or what stands for one.
void settle_lower_bound(Comparison& comparison, const std::vector<model::Certificate>& certificates) {
  comparison.lower_bound = -std::numeric_limits<double>::infinity();
  for (const model::Certificate& certificate : certificates) {
    if (comparison.constrained || !certificate.relative_gap) continue;
    comparison.proved = true;
    comparison.lower_bound = std::max(comparison.lower_bound, certificate.lower_bound.value_or(0));
  }
  if (comparison.proved) return;
  comparison.lower_bound = std::numeric_limits<double>::infinity();
  for (const Contestant& contestant : comparison.contestants) {
    comparison.lower_bound = std::min(comparison.lower_bound, contestant.error);
    for (const Evaluated& line : contestant.trace)
      if (line.report.accepted) comparison.lower_bound = std::min(comparison.lower_bound, line.report.error);
  }
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
    if (!refuses_constraints(options, "auto")) chosen.emplace_back("auto");
    for (const optim::OptimizerEntry& entry : optim::optimizers())
      if ((files_decide || !entry.lacks(conditions)) && !refuses_constraints(options, entry.name))
        chosen.emplace_back(entry.name);
  }
  for (const std::string& name : chosen) {
    if (std::count(chosen.begin(), chosen.end(), name) > 1)
      throw ConfigError(fmt::format("{} is named twice", quote_text(name)), "optimizers");
    if (name != "auto")
      if (const auto reason = optim::find_optimizer(name, "optimizers").refuses(conditions);
          reason && !files_decide)
        throw ConfigError(*reason, "optimizers");
    if (const auto error = refuses_constraints(options, name)) throw *error;
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
  Comparison comparison;
  comparison.numbers = prepared.shape.response == data::Response::number;
  comparison.constrained = is_constrained(options);
  std::vector<model::Certificate> certificates;
  model::Model model;
  model.shape = prepared.shape;
  model.classes = data.classes;
  const std::vector<std::string> names = runnable(entrants, problem, log);
  warn_of_schedule(names, options, log);
  for (const std::string& name : names) {
    Contestant contestant;
    contestant.asked = name;
    const TrainOptions own = known_to(options, name);
    const auto began = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    Recorder recorder(observer, contestant.trace);
    const optim::Choice choice = choice_of(name, problem);
    contestant.reason = choice.reason;
    contestant.optimizer = choice.optimizer->name;
    FitRun run(prepared, own, choice, holdout, recorder, cancel, seconds());
    if (!options.early_stopping) run.request().patience.reset();  // it would hide what comes after
    optim::FitSummary fit = run.from(first_start(prepared, *choice.optimizer));
    contestant.seconds = seconds();
    contestant.cpu_seconds = recorder.seconds();
    cancel.throw_if_cancelled();
    contestant.passes = fit.passes;
    contestant.termination = optim::termination_name(fit.reason);
    contestant.message = std::move(fit.message);
    model.coefficients = prepared.original(fit.coefficients);
    certificates.push_back(objective::certify(problem, fit.coefficients));
    contestant.error = certificates.back().error;
    contestant.accuracy = holdout != nullptr ? accuracy_of(model, *holdout, holdout->weights.span())
                                             : accuracy_of(model, data, prepared.weights);
    comparison.contestants.push_back(std::move(contestant));
  }
  settle_lower_bound(comparison, certificates);
  measure_gaps(comparison);
  return comparison;
}

}  // namespace lazylogit::train
