// The model that a stream has made so far (stream_trainer.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/model/streamed_model.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/stream_trainer.hpp"

namespace lazylogit::train {

namespace {

// Records lie in any order: asks memory for one that is wanted some rows later.
void ask_for_record(const optim::OnlineLearner& learner, std::span<const std::uint64_t> rows,
                    std::size_t now) {
  constexpr std::size_t ahead = 16;
  if (now + ahead < rows.size()) prefetch(learner.record(rows[now + ahead]));
}

}  // namespace

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
  record.prior = learner_name_ != "perceptron" ? options_.prior : "uniform";
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
  const prior::AnyPrior prior = stream_prior(options_);
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
                 : fmt::format("only one class: {} {} of class {}, expected two or more classes",
                               all_of(num_rows_, "row"), is_or_are(num_rows_), quote_text(labels_.front())),
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
        stream_prior(options_),
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
  model.coefficients = [&learner, &order, in_order, raw, vectors](std::span<const std::uint64_t> rows,
                                                                  double* to) mutable {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ask_for_record(learner, rows, i);
      learner.coefficients(rows[i], raw.data());
      in_order(raw.data(), order.sign, to + i * vectors);
    }
  };
  model.find_used = [&learner](std::uint64_t from, std::span<std::uint64_t> found) {
    return learner.find_used(from, found);
  };
  if (learner.variances(learner.num_features(), raw.data())) {
    model.variances = [&learner, in_order, raw, vectors](std::span<const std::uint64_t> rows,
                                                         double* to) mutable {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        learner.variances(rows[i], raw.data());
        in_order(raw.data(), 1, to + i * vectors);
      }
    };
    model.posterior.kind = model::PosteriorKind::diagonal;
    if (learner.covariance(model.posterior.covariance)) {
      model.posterior.kind = model::PosteriorKind::full;
      for (std::size_t row = 0; row < order.shape.num_rows(); ++row)
        model.posterior.coordinates.push_back(order.shape.index(row, 0));
      model.variances = [lower = model.posterior.covariance](std::span<const std::uint64_t> rows,
                                                             double* to) {
        for (const std::uint64_t row : rows) *to++ = lower[row * (row + 1) / 2 + row];
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

void StreamTrainer::save(const data::Alphabet& features, bool with_state, OutputFile& out,
                         const model::ContainerLimits& limits) const {
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
    model.state_records = [&learner](std::span<const std::uint64_t> rows, double* to) {
      const std::size_t width = learner.record_width();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ask_for_record(learner, rows, i);
        const double* const record = learner.record(rows[i]);
        for (std::size_t k = 0; k < width; ++k) *to++ = record[k];
      }
    };
  }
  model::write_model(model, out, limits);
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
  const auto each_row = [&](const model::StreamedModel::RowNumbers& numbers, auto& to) {
    for (std::uint64_t row = 0; row < model.shape.num_rows(); ++row)
      numbers({&row, 1}, to.data() + model.shape.index(row, 0));
  };
  each_row(streamed.coefficients, model.coefficients);
  if (streamed.variances) {
    model.posterior = std::move(streamed.posterior);
    model.posterior->variance.assign(model.shape.size(), 0.0);
    each_row(streamed.variances, model.posterior->variance);
  }
  return model;
}

}  // namespace lazylogit::train
