#include "lazylogit/train/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/shifted_fit.hpp"
#include "lazylogit/train/group_widths.hpp"
#include "lazylogit/train/judgement.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/posterior_at.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/prior_path.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/responses.hpp"
#include "lazylogit/train/start.hpp"
#include "lazylogit/train/tuning_folds.hpp"

namespace lazylogit::train {
namespace {

constexpr double path_gap = 1e-3, evidence_gap = 1e-8;  // differences of evidence are small

// Mean and its standard error.
std::pair<double, double> mean_of(std::span<const double> values) {
  if (values.empty()) return {optim::not_computed, optim::not_computed};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? optim::not_computed : std::sqrt(squares / (n - 1) / n)};
}

// A fit that goes along the path: without a fold, or to all rows.
struct Walker {
  std::vector<double> weights;  // 0 for rows held out; empty: all take part
  data::Rows held_out;
  math::Vector at;           // where the last fit ended
  math::Vector before = {};  // and the one before it
  data::FeatureMoments moments =
      {};  // of its own rows, where the options standardize; empty: those of all rows
  std::vector<double> centers = {};  // likewise (Prepared::centers)
  double log_loss = optim::not_computed, accuracy = optim::not_computed;
};

void judge_held_out(const model::Shape& shape, const data::ChoiceSpec& choices, Walker& walker) {
  model::Model light;
  light.input.choices = choices;
  light.shape = shape;
  light.coefficients = walker.at;
  if (!walker.centers.empty()) objective::to_original(shape, walker.centers, light.coefficients.data());
  const Judgement found = judge(light, walker.held_out);
  walker.log_loss = found.loss;
  walker.accuracy = found.score;
}

class Tuner {
 public:
  Tuner(data::Dataset& data, const TrainOptions& options, const TuneSettings& settings,
        TuneObserver& observer, Log& log, const CancelToken& cancel)
      : data_(data),
        options_(options),
        settings_(settings),
        observer_(observer),
        log_(log),
        cancel_(cancel),
        prepared_(prepare(data, options, log)),
        deviations_(data::feature_moments(data.x, prepared_.weights).deviations),
        has_kink_(has_kink()),
        fits_all_(has_kink_ || settings.by == TuneBy::evidence) {}

  Tuning operator()() {
    Tuning tuning;
    tuning.option = tuned_option(options_);
    std::vector<double> strengths;
    for (const double value : settings_.values) strengths.push_back(strength_of(options_, value));
    std::sort(strengths.rbegin(), strengths.rend());
    if (strengths.empty()) strengths = strength_path(prepared_, deviations_, settings_.path);
    if (settings_.by != TuneBy::evidence) add_folds();
    if (fits_all_) walkers_.push_back({prepared_.weights, {}, default_start(prepared_)});
    for (const double strength : strengths) {
      strengths_.push_back(strength);
      tuning.points.push_back(visit(strength));
      observer_.on_point(tuning.points.back(), tuning.points.size(), strengths.size());
      tuning.ended_early = settings_.values.empty() && is_rising(tuning.points);
      if (tuning.ended_early) break;
    }
    if (settings_.by == TuneBy::evidence && settings_.values.empty()) refine(tuning);
    choose(tuning);
    tuning.options = with_strength(options_, strengths_[tuning.chosen]);
    if (!settings_.groups.empty()) widen_groups(tuning);
    return tuning;
  }

 private:
  // From the best width for all to one for each group.
  void widen_groups(Tuning& tuning) {
    const FeatureGroups groups =
        make_feature_groups(settings_.groups, data_, prepared_.shape,
                            options_.prior_intercept && prepared_.shape.has_intercept, log_);
    const auto path = strength_path(prepared_, deviations_, settings_.path);
    const GroupWidths widths = maximise_groups(
        data_, options_, prepared_, deviations_, groups,
        {strengths_[tuning.chosen], path.back(), path.front(), walkers_.back().at},
        [&](std::size_t step, double evidence) { observer_.on_group_step(step, evidence); }, cancel_);
    const auto sizes = groups.sizes();
    for (std::size_t g = 0; g < groups.names.size(); ++g)
      tuning.groups.push_back({groups.names[g], sizes[g],
                               tuned_value(with_strength(options_, widths.strengths[g])),
                               widths.effective.empty() ? optim::not_computed : widths.effective[g]});
    tuning.group_log_evidence = widths.log_evidence;
    tuning.options = options_;
    tuning.options.row_strengths = widths.row_strengths;
  }

  bool has_kink() const {
    const objective::Posterior posterior(prepared_.problem());
    const auto slopes = posterior.slopes();
    return std::any_of(slopes.begin(), slopes.end(), [](double slope) { return slope > 0; });
  }

  void add_folds() {
    std::vector<double> weights(prepared_.weights);
    if (weights.empty()) weights.assign(data_.num_rows(), 1.0);
    for (const std::vector<std::size_t>& fold :
         deal_folds(data_, prepared_, settings_, options_.seed, log_)) {
      Walker walker{weights, data::copy_rows(data_, fold), default_start(prepared_)};
      for (const std::size_t j : fold) walker.weights[j] = 0;
      if (scales_priors(options_)) {  // rows held out say nothing of the scale either
        walker.moments = data::feature_moments(data_.x, walker.weights);
        walker.centers = centers_of(options_, prepared_.shape, prepared_.prior, walker.moments);
      }
      walkers_.push_back(std::move(walker));
    }
    num_folds_ = walkers_.size();
  }

  TunePoint visit(double strength) {
    const TrainOptions options = with_strength(options_, strength);
    const prior::PriorTable prior =
        make_prior_table(data_, options, prepared_.shape, deviations_, silent_log());
    std::vector<prior::PriorTable> own;  // folds have deviations of their own
    for (std::size_t w = 0; w < num_folds_ && scales_priors(options); ++w)
      own.push_back(
          make_prior_table(data_, options, prepared_.shape, walkers_[w].moments.deviations, silent_log()));
    parallel_blocks(walkers_.size(),
                    [&](std::size_t w) { walk(options, w < own.size() ? own[w] : prior, walkers_[w]); });
    cancel_.throw_if_cancelled();
    TunePoint point;
    point.value = tuned_value(options);
    point.numbers = prepared_.shape.response == data::Response::number;
    for (std::size_t w = 0; w < num_folds_; ++w) {
      point.fold_log_loss.push_back(walkers_[w].log_loss);
      point.fold_accuracy.push_back(walkers_[w].accuracy);
    }
    std::tie(point.log_loss, point.log_loss_error) = mean_of(point.fold_log_loss);
    std::tie(point.accuracy, point.accuracy_error) = mean_of(point.fold_accuracy);
    if (fits_all_) look_at_whole(prior, point);
    return point;
  }

  // Where the path seems to lead: strengths are in geometric progression, and smooth priors give smooth paths. Zeros of
  // others come and go, so these start where the last fit ended.
  math::Vector extrapolated(const Walker& walker) const {
    math::Vector start = walker.at;
    if (walker.before.empty() || !settings_.values.empty() || has_kink_ || settings_.by == TuneBy::evidence)
      return start;
    for (std::size_t i = 0; i < start.size(); ++i) start[i] += walker.at[i] - walker.before[i];
    return start;
  }

  void walk(const TrainOptions& options, const prior::PriorTable& prior, Walker& walker) const {
    if (cancel_.cancelled()) return;
    optim::FitRequest request;
    request.problem = prepared_.problem();
    request.problem.weights = walker.weights;
    request.problem.prior = &prior;
    if (!walker.centers.empty()) request.problem.centers = walker.centers;
    const math::Vector start = extrapolated(walker);
    request.start = start;
    request.gap = settings_.by == TuneBy::evidence ? evidence_gap : path_gap;
    request.max_passes = options.max_passes;
    request.batch = batch_settings(options);
    request.cancel = cancel_;
    walker.before = std::exchange(
        walker.at,
        optim::run_shifted(choose_optimizer(options, request.problem).optimizer->run, request).coefficients);
    if (walker.held_out.num_rows() > 0) judge_held_out(prepared_.shape, data_.input.choices, walker);
  }

  void look_at_whole(const prior::PriorTable& prior, TunePoint& point) const {
    const math::Vector& b = walkers_.back().at;
    const model::Shape& shape = prepared_.shape;
    std::uint64_t features = 0;
    for (std::size_t i = 0; i < shape.num_features; ++i)
      for (std::size_t v = 0; v < shape.num_vectors(); ++v)
        if (b[shape.index(i, v)] != 0) {
          ++features;
          break;
        }
    point.features = features;
    if (settings_.by != TuneBy::evidence) return;
    point.log_evidence =
        posterior_at(prepared_, prior, b, false, {&data_.features, &data_.classes}, cancel_).log_evidence;
    if (!point.log_evidence)
      throw ConfigError(fmt::format("the {} prior has no evidence", options_.prior), "by",
                        "choose by log-loss");
  }

  // Loss held out has kept rising, and is clearly above the lowest.
  bool is_rising(const std::vector<TunePoint>& points) const {
    constexpr std::size_t patience = 6;
    if (settings_.by == TuneBy::evidence || points.size() <= patience) return false;
    const auto lower = [](const TunePoint& a, const TunePoint& b) { return a.log_loss < b.log_loss; };
    const auto best = std::min_element(points.begin(), points.end(), lower);
    for (std::size_t k = points.size() - patience; k < points.size(); ++k)
      if (!(points[k].log_loss > points[k - 1].log_loss)) return false;
    const double error = std::isfinite(best->log_loss_error) ? best->log_loss_error : 0;
    return points.back().log_loss > best->log_loss + 2 * error;
  }

  // What is to be largest.
  double merit(const TunePoint& point) const {
    switch (settings_.by) {
      case TuneBy::log_loss:
        return -point.log_loss;
      case TuneBy::accuracy:
        return point.accuracy;
      case TuneBy::evidence:
        return *point.log_evidence;
    }
    return optim::not_computed;
  }

  bool is_allowed(const TunePoint& point) const {
    return !settings_.max_features || *point.features <= *settings_.max_features;
  }

  std::size_t best_of(const std::vector<TunePoint>& points) const {
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < points.size(); ++k)
      if (is_allowed(points[k]) && (!best || merit(points[k]) > merit(points[*best]))) best = k;
    if (best) return *best;
    throw ConfigError(
        fmt::format("every model of the path has more features than {}", *settings_.max_features),
        "max-features", "add --path 100, or allow more");
  }

  // Of equals the one of the strongest prior is taken; with the rule of one standard error so is whatever is not
  // clearly worse than the best.
  void choose(Tuning& tuning) const {
    tuning.best = tuning.chosen = best_of(tuning.points);
    if (!settings_.one_standard_error) return;
    const TunePoint& best = tuning.points[tuning.best];
    const double error = settings_.by == TuneBy::accuracy ? best.accuracy_error : best.log_loss_error;
    for (std::size_t k = 0; k < tuning.best; ++k)
      if (is_allowed(tuning.points[k]) && merit(tuning.points[k]) >= merit(best) - error) {
        tuning.chosen = k;
        return;
      }
  }

  // The evidence is a smooth function: its maximum lies between the neighbours of the best value.
  void refine(Tuning& tuning) {
    constexpr int rounds = 4;
    for (int round = 0; round < rounds; ++round) {
      const std::size_t k = best_of(tuning.points);
      if (k + 1 < tuning.points.size()) insert_before(k + 1, tuning);  // first, so that k stays
      if (k > 0) insert_before(k, tuning);
    }
  }
  void insert_before(std::size_t k, Tuning& tuning) {
    const double middle = std::sqrt(strengths_[k - 1] * strengths_[k]);
    tuning.points.insert(tuning.points.begin() + static_cast<std::ptrdiff_t>(k), visit(middle));
    strengths_.insert(strengths_.begin() + static_cast<std::ptrdiff_t>(k), middle);
  }

  data::Dataset& data_;
  const TrainOptions& options_;
  const TuneSettings& settings_;
  TuneObserver& observer_;
  Log& log_;
  CancelToken cancel_;
  Prepared prepared_;
  std::vector<double> deviations_;
  bool has_kink_;
  bool fits_all_;
  std::vector<Walker> walkers_;  // folds, then the one of all rows
  std::size_t num_folds_ = 0;
  std::vector<double> strengths_;  // of the points
};

}  // namespace

void check_tuning(const TrainOptions& options, const TuneSettings& settings) {
  check_options(options);
  tuned_option(options);
  if (options.optimizer != "auto" && optim::find_optimizer(options.optimizer).stochastic)
    throw ConfigError("the path is fitted exactly", "optimizer",
                      "leave it to auto, or name an exact optimizer");
  for (const double value : settings.values)
    if (!(value > 0) || !std::isfinite(value)) throw ConfigError("expected positive numbers", "values");
  if (settings.by == TuneBy::evidence && response_of(options) == data::Response::number)
    throw ConfigError("the evidence of a regression needs the variance of its noise", "by",
                      "choose by squared-error");
  if (settings.by == TuneBy::evidence && settings.one_standard_error)
    throw ConfigError("the evidence has no standard error over folds", "one-standard-error");
  const bool makes_zeros = std::visit([](const auto& p) { return p.slope() > 0; }, make_prior(options));
  if (settings.max_features && !makes_zeros)
    throw ConfigError(fmt::format("the {} prior leaves no coefficient at 0", options.prior), "max-features",
                      "use --prior laplace or elastic-net");
  if (!settings.groups.empty()) {
    if (settings.by != TuneBy::evidence)
      throw ConfigError("a width for each group is chosen by the evidence", "groups", "add --by evidence");
    if (!options.prior_file.empty())
      throw ConfigError("contradicts --prior-file, which gives the features' widths", "groups");
    if (options.kernel != "none")
      throw ConfigError("with --kernel coefficients belong to training rows, not to features", "groups");
    if (!options.prior_covariance.empty())
      throw ConfigError("contradicts --prior-covariance, which gives the features' widths", "groups");
    check_feature_groups(settings.groups);
  }
  if (settings.by == TuneBy::evidence && options.prior == "elastic-net")
    throw ConfigError("the elastic-net prior has no normalising constant, so no evidence", "by",
                      "choose by log-loss");
}

Tuning tune(data::Dataset& data, const TrainOptions& options, const TuneSettings& settings,
            TuneObserver& observer, Log& log, const CancelToken& cancel) {
  check_tuning(options, settings);
  return Tuner(data, options, settings, observer, log, cancel)();
}

}  // namespace lazylogit::train
