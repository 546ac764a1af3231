#include "lazylogit/model/predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/checked_scores.hpp"
#include "lazylogit/math/elementary.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/model/first_overflow.hpp"

namespace lazylogit::model {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// out[2 i] = σ(sign · scores[i]) and out[2 i + 1] = σ(−sign · scores[i]), with the bits of math::sigmoids. Not 1 − p: the
// smaller one of the two keeps its digits.
LAZYLOGIT_TARGET_CLONES void sigmoid_pairs(const double* scores, std::size_t count, double sign,
                                           double* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const double s = sign * scores[i];
    const double e = math::exp_nonpositive(-std::fabs(s));
    out[2 * i] = (s >= 0 ? 1.0 : e) / (1.0 + e);
    out[2 * i + 1] = (s <= 0 ? 1.0 : e) / (1.0 + e);
  }
}

// Whether all are finite: 0 · x is 0 then, and NaN otherwise.
LAZYLOGIT_TARGET_CLONES bool all_finite(const double* scores, std::size_t count) noexcept {
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) finite &= 0.0 * scores[i] == 0.0;
  return finite;
}

}  // namespace

ScoreOverflow::ScoreOverflow(std::size_t row)
    : InputError({.kind = ErrorKind::input,
                  .message = fmt::format("row {}: the products of its values and the model's coefficients "
                                         "overflow a double, expected values like those of the training data",
                                         row + 1),
                  .code = "score-overflow"}),
      row_(row) {}

Predictor::Predictor(const Model& model) : model_(&model), shape_(model.shape) {}

std::size_t Predictor::rows_per_block() const noexcept {
  // About half a megabyte of scores, so that they stay in the cache between the two loops.
  return std::clamp<std::size_t>(65536 / std::max<std::size_t>(1, shape_.stride()), 1, 1024);
}

void Predictor::check(const data::Rows& rows) const {
  if (!model_->input.choices.column.empty() && rows.choice_ends.empty() && rows.num_rows() > 0)
    throw ConfigError("the model chooses among candidates, but the rows are none", "choices");
  if (rows.x.num_features > shape_.num_features)
    throw ConfigError(fmt::format("the rows have {}, the model has {}",
                                  counted(rows.x.num_features, "feature"), shape_.num_features));
}

math::ScoreTable Predictor::score_table() const noexcept {
  const double* coefficients = model_->coefficients.data();
  return {coefficients, shape_.stride(),
          shape_.has_intercept ? coefficients + shape_.intercept_index(0) : nullptr};
}

std::size_t Predictor::vector_scores(const data::Rows& rows, RowInterval interval, double* scores) const {
  const std::size_t stride = shape_.stride();
  const math::ScoreTable table = score_table();
  rows.x.visit_rows([&, scores]<class Value>(const data::RowsView<Value>& view) mutable {
    if constexpr (!std::is_same_v<Value, data::One>)
      if (view.source != nullptr) {
        for (std::size_t j = interval.first; j < interval.last; ++j, scores += stride) {
          const data::RowView<Value> row = view.row(j);
          const std::uint64_t ends[] = {0, row.size()};
          math::score_rows({ends, row.ids.data(), 1}, row.values, table, scores);
        }
        return;
      }
    const math::RowRange range{view.offsets + interval.first, view.ids, interval.size()};
    if constexpr (std::is_same_v<Value, data::One>)
      math::score_rows(range, nullptr, table, scores);
    else
      math::score_rows(range, view.values, table, scores);
  });
  add_offsets(rows, interval, scores);
  if (all_finite(scores, interval.size() * stride)) return interval.last;
  std::size_t row = interval.first;
  while (all_finite(scores + (row - interval.first) * stride, stride)) ++row;
  return row;
}

void Predictor::add_offsets(const data::Rows& rows, RowInterval interval, double* scores) const {
  const std::size_t stride = shape_.stride();
  if (!rows.offsets.empty() && shape_.response == data::Response::number)
    for (std::size_t i = 0; i < interval.size(); ++i) scores[i] += rows.offsets[interval.first + i];
  if (rows.offsets.empty() || shape_.num_classes != 2 || shape_.response != data::Response::classes) return;
  // The offset belongs to the score of the second class against the first.
  const auto second = shape_.vector_of(1);
  const double sign = second ? 1.0 : -1.0;
  for (std::size_t i = 0; i < interval.size(); ++i)
    scores[i * stride + second.value_or(0)] += sign * rows.offsets[interval.first + i];
}

// Two classes, one vector: the score of its class against the other one.
void Predictor::decide_two(const data::Rows& rows, RowInterval part, std::size_t at, double* scores,
                           Predictions& out) const {
  const ClassId described = shape_.class_of(0), other = 1 - described;
  // σ(−s) rather than 1 − p: the smaller one of the two keeps its digits.
  std::vector<double> probability(part.size()), of_other(part.size());
  math::sigmoids({scores, part.size()}, probability);
  for (std::size_t i = 0; i < part.size(); ++i) of_other[i] = -scores[i];
  math::sigmoids(of_other, of_other);
  for (std::size_t i = 0; i < part.size(); ++i, ++at) {
    const double s = scores[i], p = probability[i], q = of_other[i];
    const bool take_described = s > 0 || (s == 0 && described == 0);
    out.best[at] = take_described ? described : other;
    out.best_probability[at] = take_described ? p : q;
    const ClassId label = rows.labels.empty() ? unknown_class : rows.labels[part.first + i];
    out.label_log_probability[at] =
        label == unknown_class ? not_a_number : math::log_sigmoid(label == described ? s : -s);
    if (!out.probabilities.empty()) {
      out.probabilities[2 * at + static_cast<std::size_t>(described)] = p;
      out.probabilities[2 * at + static_cast<std::size_t>(other)] = q;
    }
  }
}

bool Predictor::has_probabilities() const noexcept {
  return shape_.response == data::Response::classes && model_->input.choices.column.empty();
}

template <class Score>
bool Predictor::turn_scores(std::size_t count, double* out, const Score& score) const {
  const std::size_t stride = shape_.stride();
  constexpr std::size_t most_rows = 256, on_stack = 2048;
  std::array<double, on_stack> few;
  std::vector<double> many(stride > on_stack ? stride : 0);
  double* const scores = many.empty() ? few.data() : many.data();
  const std::size_t at_once = std::clamp<std::size_t>(on_stack / stride, 1, most_rows);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t last = std::min(count, first + at_once);
    if (!score(first, last, scores)) return false;
    if (shape_.num_vectors() == 1)
      sigmoid_pairs(scores, last - first, shape_.class_of(0) == 0 ? 1.0 : -1.0, out);
    else
      many_probabilities(scores, last - first, out);
    out += (last - first) * shape_.num_classes;
  }
  return true;
}

void Predictor::probabilities(const data::Rows& rows, RowInterval interval, double* out) const {
  check(rows);
  turn_scores(interval.size(), out, [&](std::size_t first, std::size_t last, double* scores) {
    const std::size_t end = interval.first + last;
    if (const std::size_t row = vector_scores(rows, {interval.first + first, end}, scores); row < end)
      throw ScoreOverflow(row);
    return true;
  });
}

template <class Value>
bool Predictor::checked_probabilities(const math::RowRange& rows, const Value* values,
                                      std::size_t num_features, double* out) const {
  return turn_scores(rows.num_rows, out, [&](std::size_t first, std::size_t last, double* scores) {
    return math::score_checked_rows({rows.offsets + first, rows.ids, last - first}, values, score_table(),
                                    num_features, scores);
  });
}
template bool Predictor::checked_probabilities(const math::RowRange&, const float*, std::size_t,
                                               double*) const;
template bool Predictor::checked_probabilities(const math::RowRange&, const double*, std::size_t,
                                               double*) const;

void Predictor::many_probabilities(double* scores, std::size_t count, double* out) const {
  const std::size_t stride = shape_.stride(), vectors = shape_.num_vectors(), classes = shape_.num_classes;
  const auto reference = shape_.reference ? math::ReferenceClass::present : math::ReferenceClass::absent;
  for (std::size_t i = 0; i < count; ++i, scores += stride, out += classes) {
    const math::LogNormalizer normalizer = math::apply_softmax({scores, vectors}, reference);
    if (!shape_.reference) {
      std::copy_n(scores, vectors, out);
      continue;
    }
    for (std::size_t v = 0; v < vectors; ++v) out[shape_.class_of(v)] = scores[v];
    out[*shape_.reference] = std::exp(normalizer.log_probability(0));
  }
}

void Predictor::decide_many(const data::Rows& rows, RowInterval part, std::size_t at, double* scores,
                            Predictions& out) const {
  const std::size_t stride = shape_.stride(), vectors = shape_.num_vectors(), classes = shape_.num_classes;
  const auto reference = shape_.reference ? math::ReferenceClass::present : math::ReferenceClass::absent;
  for (std::size_t i = 0; i < part.size(); ++i, ++at) {
    const std::span<double> row(scores + i * stride, vectors);
    const auto top = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    ClassId best = shape_.class_of(top);
    double best_score = row[top];
    if (shape_.reference && (best_score < 0 || (best_score == 0 && *shape_.reference < best))) {
      best = *shape_.reference;
      best_score = 0;
    }
    const ClassId label = rows.labels.empty() ? unknown_class : rows.labels[part.first + i];
    const auto label_vector = label == unknown_class ? std::nullopt : shape_.vector_of(label);
    const double label_score = label_vector ? row[*label_vector] : 0.0;
    math::LogNormalizer normalizer{};
    if (out.probabilities.empty()) {
      normalizer = math::log_normalizer(row, reference);
    } else {
      normalizer = math::apply_softmax(row, reference);
      double* p = out.probabilities.data() + at * classes;
      for (std::size_t v = 0; v < vectors; ++v) p[shape_.class_of(v)] = row[v];
      if (shape_.reference) p[*shape_.reference] = std::exp(normalizer.log_probability(0));
    }
    out.best[at] = best;
    out.best_probability[at] = std::exp(normalizer.log_probability(best_score));
    // The same digits, with and without the probabilities of all classes.
    if (!out.probabilities.empty())
      out.probabilities[at * classes + static_cast<std::size_t>(best)] = out.best_probability[at];
    out.label_log_probability[at] =
        label == unknown_class ? not_a_number : normalizer.log_probability(label_score);
  }
}

void Predictor::decide_labels(RowInterval part, std::size_t at, double* scores, Predictions& out) const {
  const std::size_t stride = shape_.stride(), labels = shape_.num_vectors();
  for (std::size_t i = 0; i < part.size(); ++i, ++at)
    math::sigmoids({scores + i * stride, labels}, {out.probabilities.data() + at * labels, labels});
}

std::vector<double> Predictor::choice_scores(const data::Rows& rows) const {
  std::vector<double> scores(rows.num_rows());
  const std::size_t block_rows = rows_per_block();
  FirstOverflow overflow;
  parallel_blocks(num_blocks_of(scores.size(), block_rows), [&](std::size_t block) {
    const std::size_t first = block * block_rows, end = std::min(scores.size(), first + block_rows);
    if (const std::size_t row = vector_scores(rows, {first, end}, scores.data() + first); row < end)
      overflow.note(row);
  });
  overflow.throw_if_any();
  std::size_t first = 0;
  for (const std::uint64_t last : rows.choice_ends) {
    // ln p − ln(1 − p) with 1 − p the sum over the others, which keeps its digits where p is close to 1.
    const std::size_t count = last - first;
    double* const s = scores.data() + first;
    const double largest = *std::max_element(s, s + count);
    std::vector<double> parts(count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += parts[i] = std::exp(s[i] - largest);
    for (std::size_t i = 0; i < count; ++i) {
      double others = sum - parts[i];
      if (others < 0.5 * sum) {
        others = 0;
        for (std::size_t k = 0; k < count; ++k) others += k == i ? 0.0 : parts[k];
      }
      s[i] = (s[i] - largest) - std::log(others);
    }
    first = last;
  }
  return scores;
}

void Predictor::predict_choices(const data::Rows& rows, RowInterval interval, Predictions& out) const {
  std::vector<double> scores = choice_scores(rows);
  decide_two(rows, interval, 0, scores.data() + interval.first, out);
  std::size_t first = 0;
  for (const std::uint64_t last : rows.choice_ends) {
    const auto best =
        static_cast<std::size_t>(std::max_element(scores.begin() + static_cast<std::ptrdiff_t>(first),
                                                  scores.begin() + static_cast<std::ptrdiff_t>(last)) -
                                 scores.begin());
    for (std::size_t j = std::max(first, interval.first); j < std::min<std::size_t>(last, interval.last);
         ++j) {
      const std::size_t at = j - interval.first;
      out.best[at] = j == best ? 1 : 0;
      out.best_probability[at] = math::sigmoid(j == best ? scores[j] : -scores[j]);
    }
    first = last;
  }
}

void Predictor::predict(const data::Rows& rows, RowInterval interval, Detail detail, Predictions& out) const {
  check(rows);
  const std::size_t count = interval.size();
  const bool classes = shape_.response == data::Response::classes;
  const bool all = shape_.response == data::Response::labels || (classes && detail == Detail::probabilities);
  out.numbers.resize(shape_.response == data::Response::number ? count : 0);
  out.best.resize(classes ? count : 0);
  out.best_probability.resize(out.best.size());
  out.label_log_probability.resize(out.best.size());
  out.probabilities.resize(all ? count * shape_.num_classes : 0);
  if (!model_->input.choices.column.empty()) return predict_choices(rows, interval, out);
  const std::size_t block_rows = rows_per_block();
  FirstOverflow overflow;
  parallel_blocks(num_blocks_of(count, block_rows), [&](std::size_t block) {
    const std::size_t at = block * block_rows;
    const RowInterval part{interval.first + at, interval.first + std::min(count, at + block_rows)};
    std::vector<double> scores(part.size() * shape_.stride());
    if (const std::size_t row = vector_scores(rows, part, scores.data()); row < part.last) overflow.note(row);
    if (shape_.response == data::Response::number)
      std::copy(scores.begin(), scores.end(), out.numbers.begin() + at);
    else if (shape_.response == data::Response::labels)
      decide_labels(part, at, scores.data(), out);
    else if (shape_.num_vectors() == 1)
      decide_two(rows, part, at, scores.data(), out);
    else
      decide_many(rows, part, at, scores.data(), out);
  });
  overflow.throw_if_any();
}

void Predictor::scores(const data::Rows& rows, RowInterval interval, std::span<double> scores) const {
  check(rows);
  const std::size_t block_rows = rows_per_block(), classes = shape_.num_classes, stride = shape_.stride();
  FirstOverflow overflow;
  parallel_blocks(num_blocks_of(interval.size(), block_rows), [&](std::size_t block) {
    const std::size_t at = block * block_rows, end = std::min(interval.size(), at + block_rows);
    const RowInterval part{interval.first + at, interval.first + end};
    std::vector<double> own(part.size() * stride);
    if (const std::size_t row = vector_scores(rows, part, own.data()); row < part.last) overflow.note(row);
    for (std::size_t i = at; i < end; ++i)
      for (std::size_t c = 0; c < classes; ++c) {
        const auto vector = shape_.vector_of(static_cast<ClassId>(c));
        scores[i * classes + c] = vector ? own[(i - at) * stride + *vector] : 0.0;
      }
  });
  overflow.throw_if_any();
}

}  // namespace lazylogit::model
