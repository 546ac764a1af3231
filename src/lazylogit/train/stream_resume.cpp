// A stream that goes on from a model: with its state, or from its coefficients.
#include <fmt/format.h>

#include <algorithm>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/responses.hpp"
#include "lazylogit/train/stream_trainer.hpp"

namespace lazylogit::train {

void StreamTrainer::resume(const model::Model& model, Log& log) {
  if (model.shape.response != response_of(options_))
    throw ConfigError(
        fmt::format("the labels of the model are {}, those of the data {}",
                    data::response_name(model.shape.response), data::response_name(response_of(options_))),
        "warm-start");
  if (model.input.choices.column.empty() == is_choices())
    throw ConfigError("only one of the two, the model and the stream, chooses among candidates",
                      "warm-start");
  if (model.shape.has_intercept != (options_.intercept && !is_choices()))
    throw ConfigError(model.shape.has_intercept ? "the model has an intercept" : "the model has no intercept",
                      "warm-start", "--no-intercept must be as it was");
  const bool has_state = model.state && model.state->learner == learner_name_;
  if (learner_name_ != "perceptron" && model.record.prior != options_.prior)
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
