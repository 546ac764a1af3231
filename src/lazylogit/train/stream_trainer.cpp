#include "lazylogit/train/stream_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/model/streamed_model.hpp"
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
  settings.forget = options.forget;
  settings.response = response_of(options);
  return settings;
}

StreamTrainer::StreamTrainer(const TrainOptions& options, const data::InputSpec& input, std::size_t window)
    : options_(options), input_(input), learner_name_(stream_learner(options)), progressive_(window) {
  learner_ = optim::find_online_learner(learner_name_)->make(online_settings(options));
  if (input.hash_bits) learner_->grow(std::size_t{1} << *input.hash_bits, 0);
  if (is_number()) labels_ = {input.target.empty() || !input.has_header ? "target" : input.target};
}

bool StreamTrainer::is_number() const { return input_.response == data::Response::number; }

void StreamTrainer::learn(const data::Rows& rows, std::size_t first, const Seen& seen) {
  labels_.insert(labels_.end(), rows.unknown_labels.begin(), rows.unknown_labels.end());
  double offset_sign = 1;
  if (is_number())
    for (std::size_t i = first; i < rows.num_rows(); ++i)
      if (std::isnan(rows.targets[i]))
        throw InputError({.message = "a row has no label, expected a number", .code = "no-label"});
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
    std::vector<ClassId> to_class;
    data::ClassTable::from_labels(labels_, &to_class);
    if (labels_.size() == 2 && to_class[1] == 0) offset_sign = -1;
  }
  weights_.assign(rows.num_rows(), 1.0);
  if (!rows.weights.empty()) std::copy(rows.weights.begin(), rows.weights.end(), weights_.begin());
  std::fill_n(weights_.begin(), std::min(first, weights_.size()), 0.0);
  outcomes_.clear();
  // A class is new to the learner at its first row, not at the block that holds it: where blocks end changes nothing.
  std::size_t known = learner_->num_classes();
  if (is_number()) {
    learner_->grow(std::max(learner_->num_features(), rows.x.num_features), 1);
    learner_->learn_range(rows, {0, rows.num_rows()}, weights_, offset_sign, outcomes_);
  }
  for (std::size_t from = 0; from < rows.num_rows() && !is_number();) {
    known = std::max(known, static_cast<std::size_t>(rows.labels[from]) + 1);
    std::size_t to = from + 1;
    while (to < rows.num_rows() && static_cast<std::size_t>(rows.labels[to]) < known) ++to;
    learner_->grow(std::max(learner_->num_features(), rows.x.num_features), known);
    learner_->learn_range(rows, {from, to}, weights_, offset_sign, outcomes_);
    from = to;
  }
  num_rows_ += rows.num_rows() - std::min(first, rows.num_rows());
  std::size_t at = 0;
  for (const double weight : weights_) {
    if (!(weight > 0)) continue;
    const optim::RowOutcome& outcome = outcomes_[at++];
    progressive_.add(outcome.loss, outcome.correct, weight);
    if (seen) seen(outcome, weight);
  }
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
  order.shape.has_intercept = options_.intercept;
  order.shape.response = input_.response;
  if (labels_.size() < 2 && !is_number()) return order;  // describe() says so
  const bool reference = learner_->has_reference();
  if (reference && labels_.size() == 2) {
    order.shape.reference = 0;
    if (order.to_class[1] == 0) order.sign = -1;
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
      learner_->num_features() + (options_.intercept && options_.prior_intercept ? 1 : 0);
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
  if (labels_.size() < 2 && !is_number())
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
    record_prior(table, {}, holder);
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

void StreamTrainer::resume(const model::Model& model, Log& log) {
  if (model.shape.response != response_of(options_))
    throw ConfigError(
        fmt::format("the labels of the model are {}, those of the data {}",
                    data::response_name(model.shape.response), data::response_name(response_of(options_))),
        "warm-start");
  if (model.shape.has_intercept != options_.intercept)
    throw ConfigError(model.shape.has_intercept ? "the model has an intercept" : "the model has no intercept",
                      "warm-start", "--no-intercept must be as it was");
  const bool has_state = model.state && model.state->learner == learner_name_;
  if (has_prior(options_) && model.record.prior != options_.prior)
    log.notice(fmt::format("the model was trained under the {} prior; from here on it is {}",
                           model.record.prior, options_.prior));
  if (has_state) return take_state(model);
  log.notice(
      model.state
          ? fmt::format("the model holds the state of the optimizer {}; {} begins at its coefficients alone",
                        model.state->learner, learner_name_)
          : std::string("the model holds no state of a stream; learning begins at its coefficients alone"));
  take_coefficients(model);
}

void StreamTrainer::take_state(const model::Model& model) {
  const model::LearnerState& state = *model.state;
  labels_.resize(state.arrival.size());
  for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = model.classes.label(state.arrival[i]);
  learner_->grow(model.shape.num_features, labels_.size());
  if (state.width != learner_->record_width() || learner_->num_features() != model.shape.num_features)
    throw ConfigError("the model's state does not fit these options", "warm-start",
                      "give the options that the model was trained with");
  const std::size_t width = state.width, present = state.records.size() / width;
  for (std::size_t i = 0; i < present; ++i)
    std::copy_n(state.records.data() + i * width, width,
                learner_->record(state.rows.empty() ? i : state.rows[i]));
  learner_->restore(state.scalars);
  progressive_.resume({.loss = optim::scalar(state.scalars, "progressive_loss"),
                       .correct = optim::scalar(state.scalars, "progressive_correct"),
                       .weight = optim::scalar(state.scalars, "progressive_weight")},
                      static_cast<std::uint64_t>(optim::scalar(state.scalars, "progressive_count")));
  num_rows_ = static_cast<std::uint64_t>(optim::scalar(state.scalars, "rows"));
}

void StreamTrainer::take_coefficients(const model::Model& model) {
  const model::Shape& shape = model.shape;
  if (input_.hash_bits && shape.num_features != std::size_t{1} << *input_.hash_bits)
    throw ConfigError("its hashed features are numbered otherwise than those of a stream", "warm-start",
                      "begin with a model of a stream");
  labels_ = model.classes.labels();
  learner_->grow(shape.num_features, labels_.size());
  const std::size_t vectors = learner_->num_vectors();
  const auto of_class = [&](std::size_t row, std::size_t c) {
    const auto v = shape.vector_of(static_cast<ClassId>(c));
    return v ? model.coefficients[shape.index(row, *v)] : 0.0;
  };
  std::vector<double> b(vectors);
  for (std::size_t row = 0; row < shape.num_rows(); ++row) {
    const std::size_t from = learner_->has_reference() ? 1 : 0;
    for (std::size_t v = 0; v < vectors; ++v)
      b[v] = of_class(row, v + from) - (from == 1 ? of_class(row, 0) : 0.0);
    learner_->begin_at(row, b.data());
  }
}

}  // namespace lazylogit::train
