#include "lazylogit/train/stream_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
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

prior::AnyPrior stream_prior(const TrainOptions& options) {
  return stream_learner(options) != "perceptron" ? make_prior(options) : prior::AnyPrior(prior::Uniform{});
}

optim::OnlineSettings online_settings(const TrainOptions& options) {
  optim::OnlineSettings settings{.prior = stream_prior(options)};
  settings.prior_on_intercept = options.prior_intercept;
  settings.intercept = options.intercept;
  settings.symmetric = options.symmetric;
  settings.average = options.average;
  settings.rate = options.learning_rate;
  constexpr double default_anneal = 10000;  // examples
  check_schedule(options);
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
    settings.hashed = input.hash_bits.has_value();
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
  std::exception_ptr failure;  // of a row: those before it have been learned
  try {
    if (is_choices())
      learn_choices(rows, first);
    else
      learn_rows(rows, first);
  } catch (const InputError&) {
    failure = std::current_exception();
  }
  std::size_t at = 0, choice = 0, j = 0;
  for (; j < weights_.size(); j = is_choices() ? rows.choice_ends[choice++] : j + 1) {
    if (!(weights_[j] > 0)) continue;
    if (at == outcomes_.size()) break;
    const optim::RowOutcome& outcome = outcomes_[at++];
    progressive_.add(outcome.loss, outcome.correct, weights_[j]);
    if (seen) seen(outcome, weights_[j]);
  }
  num_rows_ += j - std::min(first, j);
  if (!failure && progressive_.overflows())
    throw InputError({.message = fmt::format("the losses or weights of the first {} rows sum to more than a "
                                             "number can hold; the model is not written",
                                             num_rows_),
                      .hint = "divide labels, offsets and weights of large values by a power of ten",
                      .code = "not-finite"});
  if (!failure) return;
  if (!is_number()) labels_.resize(std::min(labels_.size(), learner_->num_classes()));  // as far as it came
  factors_.resize(std::min(factors_.size(), labels_.size()));
  std::rethrow_exception(failure);
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

void StreamTrainer::expect(const std::vector<std::string>& labels) {
  labels_ = labels;
  learner_->grow(learner_->num_features(), labels.size());
}

}  // namespace lazylogit::train
