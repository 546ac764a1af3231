#include "lazylogit/train/stream_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/model/streamed_model.hpp"
#include "lazylogit/train/class_weights.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::train {

std::string stream_learner(const TrainOptions& options) {
  if (options.optimizer != "auto") return options.optimizer;
  return response_of(options) == data::Response::number ? "adf" : "adagrad";
}

namespace {

bool has_prior(const TrainOptions& options) { return stream_learner(options) != "perceptron"; }

prior::AnyPrior prior_of_stream(const TrainOptions& options) {
  return has_prior(options) ? make_prior(options) : prior::AnyPrior(prior::Uniform{});
}

}  // namespace

optim::OnlineSettings online_settings(const TrainOptions& options) {
  optim::OnlineSettings settings{.prior = prior_of_stream(options)};
  settings.prior_on_intercept = options.prior_intercept;
  settings.intercept = options.intercept;
  settings.symmetric = options.symmetric;
  settings.average = options.average;
  settings.rate = options.learning_rate;
  constexpr double default_anneal = 10000;  // examples
  settings.schedule.kind = optim::ScheduleKind::inverse;
  for (const optim::ScheduleEntry& entry : optim::schedules)
    if (entry.name == options.schedule) settings.schedule.kind = entry.kind;
  if (settings.schedule.kind == optim::ScheduleKind::adaptive)
    throw ConfigError("the adaptive schedule follows the error of whole passes, of which a stream has none",
                      "schedule");
  settings.schedule.per = optim::DecayPer::example;
  settings.schedule.rate = options.learning_rate.value_or(1);
  settings.schedule.anneal = options.anneal.value_or(default_anneal);
  settings.rule_settings = {.rho = options.rho,
                            .beta1 = options.beta1,
                            .beta2 = options.beta2,
                            .epsilon = options.epsilon,
                            .beta = options.beta};
  settings.forget = options.forget;
  settings.response = response_of(options);
  return settings;
}

StreamTrainer::StreamTrainer(const TrainOptions& options, const data::InputSpec& input, std::size_t window,
                             std::unique_ptr<optim::OnlineLearner> learner)
    : options_(options),
      input_(input),
      learner_name_(stream_learner(options)),
      learner_(std::move(learner)),
      progressive_(window) {
  if (learner_ == nullptr) {
    optim::OnlineSettings settings = online_settings(options);
    settings.choices = is_choices();
    if (is_choices()) settings.intercept = false;  // it would be the same for all candidates
    learner_ = optim::find_online_learner(learner_name_)->make(settings);
  }
  if (!options.class_weights.empty()) class_weights_ = load_class_weights(options.class_weights);
  if (input.hash_bits) learner_->grow(std::size_t{1} << *input.hash_bits, 0);
  if (is_number()) labels_ = {input.target.empty() || !input.has_header ? "target" : input.target};
}

bool StreamTrainer::is_number() const { return input_.response == data::Response::number; }
bool StreamTrainer::is_choices() const { return !input_.choices.column.empty(); }
std::size_t StreamTrainer::least_labels() const { return input_.response == data::Response::classes ? 2 : 1; }

void StreamTrainer::learn(const data::Rows& rows, std::size_t first, const Seen& seen) {
  labels_.insert(labels_.end(), rows.unknown_labels.begin(), rows.unknown_labels.end());
  weigh(rows, first);
  outcomes_.clear();
  if (is_choices())
    learn_choices(rows, first);
  else
    learn_rows(rows, first);
  num_rows_ += rows.num_rows() - std::min(first, rows.num_rows());
  std::size_t at = 0, choice = 0;
  for (std::size_t j = 0; j < weights_.size(); j = is_choices() ? rows.choice_ends[choice++] : j + 1) {
    if (!(weights_[j] > 0)) continue;
    const optim::RowOutcome& outcome = outcomes_[at++];
    progressive_.add(outcome.loss, outcome.correct, weights_[j]);
    if (seen) seen(outcome, weights_[j]);
  }
}

// One past the last class of the rows' labels up to and with `row`, or the number known before.
std::size_t StreamTrainer::known_at(const data::Rows& rows, std::size_t row, std::size_t known) const {
  switch (input_.response) {
    case data::Response::number:
      return 1;
    case data::Response::labels:
      return rows.label_sets[row].empty()
                 ? known
                 : std::max(known, static_cast<std::size_t>(rows.label_sets[row].back()) + 1);
    case data::Response::classes:
      break;
  }
  return std::max(known, static_cast<std::size_t>(rows.labels[row]) + 1);
}

void StreamTrainer::learn_rows(const data::Rows& rows, std::size_t first) {
  double offset_sign = 1;
  if (is_number())
    for (std::size_t i = first; i < rows.num_rows(); ++i)
      if (std::isnan(rows.targets[i]))
        throw InputError({.message = "a row has no label, expected a number", .code = "no-label"});
  if (!rows.offsets.empty() && input_.response == data::Response::labels)
    throw ConfigError("offsets have no meaning with --multilabel, where every label has a score of its own",
                      "offset");
  if (!rows.offsets.empty() && !is_number()) {
    if (labels_.size() > 2)
      throw InputError(
          {.message = fmt::format("rows have offsets, which need two classes; there are {}", labels_.size()),
           .code = "offset-classes"});
    const bool any = std::any_of(rows.offsets.begin(), rows.offsets.end(), [](double o) { return o != 0; });
    if (any && labels_.size() < 2)
      throw InputError(
          {.message = "rows have offsets before there is a second class, so their sign is not known",
           .code = "offset-classes"});
    offset_sign = second_label() == 0 ? -1 : 1;
  }
  // A class is new to the learner at its first row, not at the block that holds it: where blocks end changes nothing.
  std::size_t known = learner_->num_classes();
  for (std::size_t from = 0; from < rows.num_rows();) {
    known = known_at(rows, from, known);
    std::size_t to = from + 1;
    while (to < rows.num_rows() && known_at(rows, to, known) == known) ++to;
    learner_->grow(std::max(learner_->num_features(), rows.x.num_features), known);
    learner_->learn_range(rows, {from, to}, weights_, offset_sign, outcomes_);
    from = to;
  }
}

// Of two labels the position, by appearance, of the second in their order; 1 while there is one.
std::size_t StreamTrainer::second_label() const {
  std::vector<ClassId> to_class;
  data::ClassTable::from_labels(labels_, &to_class);
  return labels_.size() == 2 && to_class[0] == 1 ? 0 : 1;
}

void StreamTrainer::learn_choices(const data::Rows& rows, std::size_t first) {
  const auto refuse = [](std::string message) {
    throw InputError({.message = std::move(message), .code = "bad-choice"});
  };
  if (labels_.size() > 2)
    refuse(fmt::format("labels say whether a candidate was taken: expected two, such as 0 and 1; found {}",
                       labels_.size()));
  const auto own = static_cast<ClassId>(second_label());
  std::size_t begin = 0;
  for (const std::uint64_t end : rows.choice_ends) {
    if (first > begin && first < end)
      throw ConfigError("the last row that is passed over is not the last of its choice", "skip-rows");
    const auto name = [&] {
      return fmt::format("choice {}, rows {} to {}", quote_text(rows.ids[begin]),
                         num_rows_ + begin + 1 - first, num_rows_ + end - first);
    };
    const auto taken = std::count(rows.labels.begin() + begin, rows.labels.begin() + end, own);
    const bool alone = end - begin == 1 && labels_.size() < 2;  // its label cannot be told from the other
    if (begin >= first && taken != 1 && !alone)
      refuse(fmt::format("{}: {} candidates are taken, expected one", name(), taken));
    if (std::any_of(weights_.begin() + static_cast<std::ptrdiff_t>(begin),
                    weights_.begin() + static_cast<std::ptrdiff_t>(end),
                    [&](double w) { return w != weights_[begin]; }))
      refuse(fmt::format("{}: candidates have different weights, expected one", name()));
    begin = end;
  }
  learner_->grow(std::max(learner_->num_features(), rows.x.num_features), 2);
  learner_->learn_range(rows, {0, rows.num_rows()}, weights_, own == 1 ? 1 : -1, outcomes_);
}

// The weights of rows, with those of their classes; 0 before `first`.
void StreamTrainer::weigh(const data::Rows& rows, std::size_t first) {
  weights_.assign(rows.num_rows(), 1.0);
  if (!rows.weights.empty()) std::copy(rows.weights.begin(), rows.weights.end(), weights_.begin());
  std::fill_n(weights_.begin(), std::min(first, weights_.size()), 0.0);
  if (class_weights_.empty()) return;
  for (std::size_t i = factors_.size(); i < labels_.size(); ++i) {
    double factor = 1;
    for (const auto& [label, weight] : class_weights_)
      if (label == labels_[i]) factor = weight;
    factors_.push_back(factor);
  }
  for (std::size_t i = first; i < weights_.size(); ++i)
    weights_[i] *= factors_[static_cast<std::size_t>(rows.labels[i])];
}

std::vector<std::string> StreamTrainer::weighted_in_vain() const {
  std::vector<std::string> absent;
  for (const auto& [label, weight] : class_weights_)
    if (std::find(labels_.begin(), labels_.end(), label) == labels_.end()) absent.push_back(label);
  return absent;
}

// From the learner's classes and vectors to those of the model.
struct StreamTrainer::Order {
  data::ClassTable classes;
  std::vector<ClassId> to_class;  // by appearance
  model::Shape shape;
  std::vector<std::size_t> vector_of;  // the learner's, for each of the model's
  double sign = 1;
};

StreamTrainer::Order StreamTrainer::order() const {
  Order order;
  order.classes = data::ClassTable::from_labels(labels_, &order.to_class);
  order.shape.num_features = learner_->num_features();
  order.shape.num_classes = labels_.size();
  order.shape.has_intercept = options_.intercept && !is_choices();
  order.shape.response = input_.response;
  if (labels_.size() < least_labels()) return order;  // describe() says so
  const bool reference = learner_->has_reference();
  if (reference && labels_.size() == 2) {
    order.shape.reference = 0;
    if (order.to_class[1] == 0 && !is_choices()) order.sign = -1;
    order.vector_of = {0};
    return order;
  }
  if (reference && !order.to_class.empty()) order.shape.reference = order.to_class[0];
  std::vector<std::size_t> appearance(labels_.size());
  for (std::size_t i = 0; i < labels_.size(); ++i)
    appearance[static_cast<std::size_t>(order.to_class[i])] = i;
  for (std::size_t v = 0; v < order.shape.num_vectors(); ++v)
    order.vector_of.push_back(appearance[static_cast<std::size_t>(order.shape.class_of(v))] -
                              (reference ? 1 : 0));
  return order;
}

model::TrainingRecord StreamTrainer::record() const {
  model::TrainingRecord record;
  record.prior = has_prior(options_) ? options_.prior : "uniform";
  record.optimizer = learner_name_;
  record.termination = "stream";
  record.iterations = progressive_.count();
  record.passes = 1;
  record.num_examples = progressive_.count();
  record.options_json = config::non_defaults_json(train_fields().fields, &options_);
  const auto& all = progressive_.all();
  record.log_likelihood = -all.loss;
  record.termination_message =
      is_number() ? fmt::format(
                        "learned {} examples one after another; the root of the mean squared error of "
                        "each before it was learned is {:.6g}",
                        progressive_.count(), std::sqrt(2 * all.log_loss()))
                  : fmt::format(
                        "learned {} examples one after another; the log loss of each before it was "
                        "learned is {:.6g} on average",
                        progressive_.count(), all.log_loss());
  const prior::AnyPrior prior = prior_of_stream(options_);
  const std::size_t vectors = learner_->num_vectors();
  std::vector<double> row(vectors);
  double penalty = 0, constants = 0;
  const std::size_t rows =
      learner_->num_features() + (options_.intercept && options_.prior_intercept && !is_choices() ? 1 : 0);
  std::visit(
      [&]<class P>(const P& p) {
        if constexpr (std::is_same_v<P, prior::Uniform>) return;
        for (std::size_t f = 0; f < rows; ++f) {
          learner_->coefficients(f, row.data());
          for (const double b : row) penalty += p.value(b);
        }
        constants = p.normaliser() * static_cast<double>(rows * vectors);
      },
      prior);
  record.penalty = penalty;
  record.log_prior = -penalty - constants;
  return record;
}

model::StreamedModel StreamTrainer::describe(const Order& order) const {
  if (is_number() && num_rows_ == 0)
    throw InputError({.message = "found no rows to learn from; expected at least one", .code = "no-rows"});
  if (labels_.empty() && num_rows_ > 0 && input_.response == data::Response::labels)
    throw InputError({.message = "no row has a label, expected one or more", .code = "no-label"});
  if (labels_.size() < least_labels())
    throw InputError(
        {.message =
             labels_.empty() || num_rows_ == 0
                 ? std::string("found no rows to learn from; expected at least one")
                 : fmt::format("only one class: all {} rows are of class {}, expected two or more classes",
                               num_rows_, quote_text(labels_.front())),
         .code = labels_.empty() ? "no-rows" : "one-class"});
  const optim::OnlineLearner& learner = *learner_;
  model::StreamedModel model;
  model.shape = order.shape;
  model.classes = &order.classes;
  model.input = &input_;
  model.record = record();
  {
    const std::size_t size = order.shape.size();
    const prior::PriorTable table(
        prior_of_stream(options_),
        options_.prior_intercept ? size : order.shape.num_features * order.shape.stride(), size);
    model::Model holder;
    std::vector<double> factors(factors_.empty() ? 0 : order.to_class.size(), 1.0);
    for (std::size_t i = 0; i < std::min(factors_.size(), factors.size()); ++i)
      factors[static_cast<std::size_t>(order.to_class[i])] = factors_[i];
    record_prior(table, factors, holder);
    model.record.prior_json = holder.record.prior_json;
  }
  const std::size_t vectors = learner.num_vectors();
  const auto in_order = [&order, vectors](const double* from, double sign, double* to) {
    for (std::size_t v = 0; v < vectors; ++v) to[v] = sign * from[order.vector_of[v]];
  };
  std::vector<double> raw(vectors);
  model.coefficients = [&learner, &order, in_order, raw](std::size_t row, double* to) mutable {
    learner.coefficients(row, raw.data());
    in_order(raw.data(), order.sign, to);
  };
  if (learner.variances(learner.num_features(), raw.data())) {
    model.variances = [&learner, in_order, raw](std::size_t row, double* to) mutable {
      learner.variances(row, raw.data());
      in_order(raw.data(), 1, to);
    };
    model.posterior.kind = model::PosteriorKind::diagonal;
    if (learner.covariance(model.posterior.covariance)) {
      model.posterior.kind = model::PosteriorKind::full;
      for (std::size_t row = 0; row < order.shape.num_rows(); ++row)
        model.posterior.coordinates.push_back(order.shape.index(row, 0));
      model.variances = [lower = model.posterior.covariance](std::size_t row, double* to) {
        *to = lower[row * (row + 1) / 2 + row];
      };
    }
    model.posterior.num_parameters = static_cast<double>(order.shape.num_rows() * vectors);
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    model.posterior.effective_parameters = model.posterior.bic = model.posterior.aic = unknown;
    // What the belief said of each label before it was learned: the evidence, where weights are 1 and nothing is forgotten.
    const auto& all = progressive_.all();
    for (const auto& [name, value] : learner.scalars())
      if (name == "noise_variance") model.posterior.noise_variance = value;
    if (!is_number() && all.weight == static_cast<double>(progressive_.count()) && options_.forget == 1)
      model.posterior.log_evidence = -all.loss;
  }
  return model;
}

void StreamTrainer::save(const data::Alphabet& features, bool with_state, OutputFile& out) const {
  const Order order = this->order();
  const optim::OnlineLearner& learner = *learner_;
  model::StreamedModel model = describe(order);
  static const data::Alphabet no_names;
  model.features = input_.hash_bits ? &no_names : &features;
  if (with_state) {
    model::LearnerState& state = model.state.emplace();
    state.learner = learner_name_;
    state.arrival = order.to_class;
    state.scalars = learner.scalars();
    state.scalars.emplace_back("progressive_loss", progressive_.all().loss);
    state.scalars.emplace_back("progressive_correct", progressive_.all().correct);
    state.scalars.emplace_back("progressive_weight", progressive_.all().weight);
    state.scalars.emplace_back("progressive_count", static_cast<double>(progressive_.count()));
    state.scalars.emplace_back("rows", static_cast<double>(num_rows_));
    std::sort(state.scalars.begin(), state.scalars.end());
    state.width = learner.record_width();
    model.state_record = [&learner](std::size_t row) { return learner.record(row); };
  }
  model::write_model(model, out);
}

model::Model StreamTrainer::snapshot() const {
  const Order order = this->order();
  model::StreamedModel streamed = describe(order);
  model::Model model;
  model.shape = streamed.shape;
  model.classes = order.classes;
  model.input = input_;
  model.record = std::move(streamed.record);
  model.coefficients.assign(model.shape.size(), 0.0);
  for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
    streamed.coefficients(row, model.coefficients.data() + model.shape.index(row, 0));
  if (streamed.variances) {
    model.posterior = std::move(streamed.posterior);
    model.posterior->variance.assign(model.shape.size(), 0.0);
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
      streamed.variances(row, model.posterior->variance.data() + model.shape.index(row, 0));
  }
  return model;
}

void StreamTrainer::expect(const std::vector<std::string>& labels) {
  labels_ = labels;
  learner_->grow(learner_->num_features(), labels.size());
}

}  // namespace lazylogit::train
