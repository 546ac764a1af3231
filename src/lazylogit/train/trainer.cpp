#include "lazylogit/train/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>

#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/noise.hpp"
#include "lazylogit/bayes/sampling.hpp"
#include "lazylogit/bayes/variational.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/objective/shifted_columns.hpp"
#include "lazylogit/train/centered_posterior.hpp"
#include "lazylogit/train/collinear_features.hpp"
#include "lazylogit/train/findings.hpp"
#include "lazylogit/train/fit_run.hpp"
#include "lazylogit/train/label_findings.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/option_owners.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/separation_found.hpp"
#include "lazylogit/train/start.hpp"

namespace lazylogit::train {
namespace {

using Clock = std::chrono::steady_clock;

// Of --max-seconds, for what begins now.
double seconds_left(double allowed, Clock::time_point begin) {
  return std::max(0.0, allowed - std::chrono::duration<double>(Clock::now() - begin).count());
}

// Further random starts for an error with several minima; the best fit is kept, the others' errors told.
void restart(const Prepared& prepared, const TrainOptions& options, FitRun& run, const CancelToken& cancel,
             Log& log, optim::FitSummary& best) {
  const objective::Problem problem = prepared.problem();
  double best_error = objective::evaluate_error(problem, best.coefficients).error();
  log.notice(fmt::format("first start: error {:.10g}", best_error));
  std::vector<double> errors{best_error};
  std::uint64_t passes = best.passes, iterations = best.iterations;
  for (std::uint64_t k = 1; k <= options.restarts && !cancel.cancelled(); ++k) {
    if (run.out_of_time()) {
      log.notice(fmt::format("--max-seconds ended the restarts: {} of {} are done", k - 1, options.restarts));
      break;
    }
    optim::FitSummary fit = run.from(random_start(prepared, options.seed, k));
    const double error = objective::evaluate_error(problem, fit.coefficients).error();
    passes = fit.passes;
    iterations += fit.iterations;
    errors.push_back(error);
    log.notice(fmt::format("restart {}: error {:.10g}", k, error));
    if (error < best_error) {
      best_error = error;
      best = std::move(fit);
    }
  }
  best.passes = passes;
  best.iterations = iterations;
  const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
  best.message += fmt::format("; the best of {} starts, whose errors lie between {:.10g} and {:.10g}",
                              errors.size(), *low, *high);
}

// Whether the labels look like something else than classes; then any column of distinct values tells the class, and nearly
// all classes have few rows.
bool warned_of_no_classes(const Prepared& prepared, const data::Dataset& data, Log& log) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  if (detail.message = quantity_labels(data, prepared.weights); !detail.message.empty()) {
    detail.hint = "--loss squared predicts a number";
    detail.code = "quantity-labels";
  } else if (detail.message = distinct_labels(data, prepared.weights); !detail.message.empty()) {
    detail.hint = data.input.kind == data::InputKind::columns ? "--target chooses another column"
                  : data.input.kind == data::InputKind::text  ? "expected label<TAB>text"
                                                              : "";
    detail.code = "distinct-labels";
  } else {
    return false;
  }
  log.warning(detail);
  return true;
}

// Before the fit: what the labels give away.
void look_at_labels(const Prepared& prepared, const data::Dataset& data, Log& log) {
  constexpr std::size_t most_named = 3;
  if (data.kernel != nullptr || data.input.response != data::Response::classes) return;
  const auto [copies, constants] = suspect_features(data, prepared.weights);
  if (!constants.empty() && names_constants(data))
    log.notice(fmt::format("the same in every row, as the intercept is: {}{}", quote_text(constants.front()),
                           constants.size() > 1 ? fmt::format(" and {} more", constants.size() - 1) : ""));
  if (warned_of_no_classes(prepared, data, log)) return;
  for (std::size_t k = 0; k < std::min(most_named, copies.size()); ++k)
    log.warning({.kind = ErrorKind::input,
                 .message = fmt::format("{} alone tells the class of every row: the label in another form?",
                                        quote_text(copies[k])),
                 .hint = data.input.kind == data::InputKind::columns ? "--ignore leaves a column out" : "",
                 .code = "label-copy"});
  if (copies.size() > most_named)
    log.notice(fmt::format("{} more features tell the class of every row", copies.size() - most_named));
  for (const std::string& sentence :
       {rare_classes(data, prepared.weights), empty_classes(data, prepared.weights)})
    if (!sentence.empty()) log.notice(sentence);
}

// Names what separated the classes, slowed the fit down, or leaves coefficients undetermined.
void explain(const Prepared& prepared, const data::Dataset& data, bool standardized,
             const std::function<bool()>& interrupted, Log& log, optim::FitSummary& fit) {
  constexpr std::uint64_t many_passes = 200;
  const bool undetermined = prepared.prior.family() == prior::Uniform::name && data.kernel == nullptr;
  if (fit.reason == optim::Termination::separation) explain_separation(prepared, data, interrupted, fit);
  const bool stuck = fit.reason == optim::Termination::no_progress ||
                     fit.reason == optim::Termination::max_passes ||
                     fit.reason == optim::Termination::numeric_failure;
  const bool slow = stuck || fit.passes > many_passes;
  if (slow)
    for (const std::string& sentence : slow_features(prepared, data, standardized)) log.notice(sentence);
  if (!slow && !undetermined) return;
  if (const std::string sentence = collinear_sentence(data, prepared.weights); !sentence.empty())
    log.notice(sentence + (undetermined ? "; without a prior their coefficients are not determined: " +
                                              remedy_of(data) + ", or use --prior gaussian"
                                        : ""));
}

bayes::SamplingRequest sampling_request(const TrainOptions& options, std::optional<double> seconds) {
  return {.chains = options.chains,
          .per_chain = options.samples,
          .warmup = options.warmup,
          .seed = options.seed,
          .max_seconds = seconds};
}

// Before the fit: whether there is room for the posterior after it.
void check_posterior_size(const objective::Problem& problem, const TrainOptions& options) {
  const auto kind = model::posterior_kind(options.posterior);
  if (kind == model::PosteriorKind::full) bayes::check_full_covariance(problem);
  if (kind == model::PosteriorKind::variational) bayes::check_variational(problem);
  if (kind == model::PosteriorKind::samples) bayes::check_draws(problem, sampling_request(options, {}));
}

// `seconds`: what is left of --max-seconds.
void add_posterior(objective::Posterior& objective, const TrainOptions& options, const optim::FitSummary& fit,
                   std::optional<double> seconds, Log& log, const CancelToken& cancel, model::Model& model) {
  const auto kind = model::posterior_kind(options.posterior);
  if (!kind) return;
  const objective::Problem& problem = objective.problem();
  if (fit.reason == optim::Termination::separation)
    throw InputError({.kind = ErrorKind::input,
                      .message = "the posterior does not exist: " + fit.message,
                      .code = "no-posterior"});
  constexpr double near = 1e-3;
  if (model.record.certificate && !objective::satisfies(*model.record.certificate, near))
    log.warning(
        {.kind = ErrorKind::input,
         .message = "the coefficients are not the optimum, so that a posterior around them is not theirs",
         .hint = "train to convergence, or add --finish",
         .code = "posterior-not-at-optimum"});
  if (*kind != model::PosteriorKind::samples)
    if (const std::string caveat = bayes::posterior_caveat(problem, model.coefficients); !caveat.empty())
      log.notice(caveat);
  const bayes::Names names{&model.features, &model.classes};
  switch (*kind) {
    case model::PosteriorKind::samples:
      model.posterior = bayes::sample_posterior(problem, model.coefficients, model.record,
                                                sampling_request(options, seconds), names, cancel);
      if (const std::size_t kept = model.posterior->sampling.per_chain; kept < options.samples)
        log.notice(fmt::format("--max-seconds ended the chains: {} of {} draws of each are kept", kept,
                               options.samples));
      if (const std::string caveat = bayes::sampling_caveat(model.posterior->sampling); !caveat.empty())
        log.warning({.kind = ErrorKind::input,
                     .message = caveat,
                     .hint = "draw more with --samples and --warmup",
                     .code = "chains"});
      return;
    case model::PosteriorKind::variational:
      model.posterior =
          bayes::variational_posterior(problem, model.coefficients, model.record, names, cancel);
      return;
    default:
      model.posterior = bayes::approximate_posterior(
          objective, model.coefficients, model.record,
          {.kind = *kind, .rank = options.posterior_rank, .seed = options.seed}, names, cancel);
      if (problem.shape.response == data::Response::number)
        bayes::apply_noise(problem, model.record, options.noise_variance,
                           !model.input.count.empty() && model.input.weight.empty(), *model.posterior);
  }
}

// What sets of classes are made from (model/held_out_scores.hpp).
void add_held_out_scores(const data::Rows& holdout, model::Model& model) {
  model::Predictions predictions;
  model::Predictor(model).predict(holdout, model::Predictor::Detail::decisions, predictions);
  model.held_out = model::held_out_scores(holdout, predictions);
}

}  // namespace

TrainResult train(data::Dataset& data, const TrainOptions& options, const data::Rows* holdout,
                  const model::Model* warm_start_model, optim::Observer& observer, Log& log,
                  const CancelToken& cancel) {
  const auto begin = Clock::now();
  const math::KeepBlocks keep_blocks;
  check_options(options);
  check_optimizer(options);
  if (options.kernel != "none" && data.kernel == nullptr)
    throw std::logic_error("apply_kernel() comes before train()");
  const Prepared prepared = prepare(data, options, log);
  check_centered_posterior(prepared, options);
  check_posterior_size(prepared.problem(), options);
  look_at_labels(prepared, data, log);
  optim::Choice choice = choose_optimizer(options, prepared.problem());
  const optim::OptimizerEntry& optimizer = *choice.optimizer;
  if (options.optimizer == "auto") {
    if (warm_start_model != nullptr) choice.head_start = 0;
    log.notice(fmt::format("optimizer: {}, because {}", optimizer.name, choice.reason));
  }
  if (const auto warning = schedule_warning(options, optimizer.name)) log.warning(*warning);
  FitRun run(prepared, options, choice, holdout, observer, cancel);
  run.request().names = {&data.features, &data.classes};
  run.request().refine = true;
  TrainResult result;
  result.fit = run.from(warm_start_model != nullptr ? warm_start(prepared, data, *warm_start_model)
                                                    : first_start(prepared, optimizer));
  // Whoever cancels waits for the coefficients, not for what could be said about them.
  const bool cancelled = result.fit.reason == optim::Termination::cancelled;
  const auto interrupted = [&] {
    return cancel.cancelled() || (options.max_seconds && seconds_left(*options.max_seconds, begin) == 0);
  };
  if (!cancelled && optimizer.stochastic && !is_constrained(options))
    look_for_separation(run.request(), interrupted, result.fit);
  if (!cancelled) explain(prepared, data, scales_priors(options), interrupted, log, result.fit);
  if (options.restarts > 0) restart(prepared, options, run, cancel, log, result.fit);

  model::Model& model = result.model;
  model.shape = prepared.shape;
  model.coefficients =
      std::move(result.fit.coefficients);  // of centred columns, where they are centred, until the end
  model.classes = data.classes;
  model.features = std::move(data.features);
  model.input = data.input;
  model.idf = data.idf;
  model.kernel = data.kernel;
  record_prior(prepared.prior, prepared.class_weights, model);
  model::TrainingRecord& record = model.record;
  record.prior = options.prior;
  record.optimizer = optimizer.name;
  record.termination = optim::termination_name(result.fit.reason);
  record.termination_message = result.fit.message;
  record.iterations = result.fit.iterations;
  record.passes = result.fit.passes;
  record.num_examples = prepared.num_examples;
  record.options_json = config::non_defaults_json(train_fields().fields, &options);
  const objective::Problem problem = prepared.problem();
  objective::Posterior objective(problem);
  double loss = result.fit.loss;
  math::Vector gradient = std::move(result.fit.gradient);
  const bool afresh = gradient.empty();
  if (afresh) {
    gradient.resize(model.coefficients.size());
    loss = objective.likelihood_gradient(model.coefficients, gradient);
  }
  const objective::ErrorParts parts{-loss, prepared.prior.penalty(model.coefficients.data())};
  const bool finite = std::all_of(model.coefficients.begin(), model.coefficients.end(),
                                  [](double b) { return std::isfinite(b); });
  if (!finite || !std::isfinite(parts.error()))
    throw InputError({.kind = ErrorKind::input,
                      .message = "no coefficients with a finite error were found",
                      .hint = "scale the features down, or check the prior",
                      .code = "not-finite"});
  record.log_likelihood = parts.log_likelihood;
  record.penalty = parts.penalty;
  record.log_prior =
      prepared.prior.log_prior(model.coefficients.data(), model.shape.stride(), model.shape.num_vectors());
  if (result.fit.certificate)
    record.certificate = std::move(result.fit.certificate);
  else if (!cancelled) {
    const objective::CertificateNames certificate_names{&model.features, &model.classes};
    record.certificate = afresh && objective::ShiftedColumns::of(problem)
                             ? objective::certify(problem, model.coefficients, certificate_names)
                             : objective::certify(objective, model.coefficients, certificate_names,
                                                  objective::LikelihoodAt{loss, gradient});
  }
  // Stochastic training that is nowhere near the optimum often stopped because one feature drowns the others.
  constexpr double far = 0.5;
  if (optimizer.stochastic && record.certificate && record.certificate->relative_gap.value_or(0) > far)
    if (const std::string sentence = scale_finding(prepared, model.features, scales_priors(options));
        !sentence.empty())
      log.notice(sentence);
  std::optional<double> seconds;
  if (options.max_seconds) seconds = seconds_left(*options.max_seconds, begin);
  if (!cancelled) add_posterior(objective, options, result.fit, seconds, log, cancel, model);
  if (!prepared.centers.empty()) {
    model.coefficients = prepared.original(model.coefficients);
    model.centers = prepared.centers;
    if (model.posterior) to_original_units(prepared, *model.posterior);
  }
  if (holdout != nullptr && model.shape.response == data::Response::classes && data.choice_ends.empty())
    add_held_out_scores(*holdout, model);
  return result;
}

}  // namespace lazylogit::train
