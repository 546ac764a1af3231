#include "lazylogit/model/score_covariance.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::model {
namespace {

constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

// Calls body(feature row of the layout, x) for the entries of a row and the intercept.
template <class Value, class Body>
void for_each_entry(const Shape& shape, const data::RowView<Value>& row, const Body& body) {
  for (std::size_t k = 0; k < row.size(); ++k) body(static_cast<std::size_t>(row.ids[k]), row.value(k));
  if (shape.has_intercept) body(shape.num_features, 1.0);
}

LAZYLOGIT_TARGET_CLONES
void add_scaled(float x, const float* from, std::size_t count, float* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] += x * from[k];
}

// ‖a − b‖²; b null: 0.
double squared_distance(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double d = static_cast<double>(a[k]) - (b != nullptr ? static_cast<double>(b[k]) : 0.0);
    sum += d * d;
  }
  return sum;
}

}  // namespace

ScoreCovariance::ScoreCovariance(const Model& model)
    : model_(model), posterior_(*model.posterior), vectors_(model.shape.num_vectors()) {
  if (has_covariance(posterior_.kind)) {
    position_.assign(model.shape.size(), absent);
    for (std::size_t k = 0; k < posterior_.coordinates.size(); ++k)
      position_[posterior_.coordinates[k]] = static_cast<std::uint32_t>(k);
    return;
  }
  base_.assign(posterior_.variance.begin(), posterior_.variance.end());
  const std::size_t rank = posterior_.rank;
  for (std::size_t i = 0; rank > 0 && i < base_.size(); ++i) {
    const float* f = posterior_.factor.data() + i * rank;
    for (std::size_t r = 0; r < rank; ++r) base_[i] += static_cast<double>(f[r]) * static_cast<double>(f[r]);
  }
}

template <class Value>
void ScoreCovariance::add_full(const data::RowView<Value>& row, double* out, Scratch& scratch) const {
  const Shape& shape = model_.shape;
  scratch.position.clear();
  scratch.vector.clear();
  scratch.value.clear();
  for_each_entry(shape, row, [&](std::size_t feature, double x) {
    for (std::size_t v = 0; v < vectors_; ++v) {
      const std::uint32_t at = position_[shape.index(feature, v)];
      if (at == absent) continue;
      scratch.position.push_back(at);
      scratch.vector.push_back(static_cast<std::uint32_t>(v));
      scratch.value.push_back(x);
    }
  });
  // Positions ascend, so a pair lies in the lower triangle; off-diagonal pairs count for both orders.
  for (std::size_t i = 0; i < scratch.position.size(); ++i) {
    const std::size_t p = scratch.position[i];
    const double* covariance = posterior_.covariance.data() + p * (p + 1) / 2;
    double* sums = scratch.sums.data();
    std::fill_n(sums, vectors_, 0.0);
    for (std::size_t j = 0; j < i; ++j)
      sums[scratch.vector[j]] += scratch.value[j] * covariance[scratch.position[j]];
    const std::size_t a = scratch.vector[i];
    const double x = scratch.value[i];
    for (std::size_t b = 0; b < vectors_; ++b) {
      out[a * vectors_ + b] += x * sums[b];
      out[b * vectors_ + a] += x * sums[b];
    }
    out[a * vectors_ + a] += x * x * covariance[p];
  }
}

// Of the vectors' scores, padding included.
template <class Value>
void ScoreCovariance::add_variances(const data::RowView<Value>& row, Scratch& scratch) const {
  const Shape& shape = model_.shape;
  scratch.variances.resize(shape.stride());
  const std::uint64_t ends[2] = {0, row.size()};
  const math::RowRange one_row{ends, row.ids.data(), 1};
  const math::ScoreTable table{base_.data(), shape.stride(),
                               shape.has_intercept ? base_.data() + shape.intercept_index(0) : nullptr};
  if constexpr (std::is_same_v<Value, data::One>) {
    math::score_rows(one_row, nullptr, table, scratch.variances.data());
  } else {
    scratch.value.resize(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) scratch.value[k] = row.value(k) * row.value(k);
    math::score_rows(one_row, scratch.value.data(), table, scratch.variances.data());
  }
}

// x F, `rank` numbers for each vector.
template <class Value>
void ScoreCovariance::add_factors(const data::RowView<Value>& row, Scratch& scratch) const {
  const Shape& shape = model_.shape;
  const std::size_t rank = posterior_.rank, width = shape.stride() * rank;
  scratch.factors.assign(width, 0.0F);
  for_each_entry(shape, row, [&](std::size_t feature, double x) {
    add_scaled(static_cast<float>(x), posterior_.factor.data() + shape.index(feature, 0) * rank,
               vectors_ * rank, scratch.factors.data());
  });
}

template <class Value>
void ScoreCovariance::subtract_factor(const data::RowView<Value>& row, double* out, Scratch& scratch) const {
  const std::size_t rank = posterior_.rank;
  add_factors(row, scratch);
  const float* f = scratch.factors.data();
  for (std::size_t a = 0; a < vectors_; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double dot = 0;
      for (std::size_t r = 0; r < rank; ++r)
        dot += static_cast<double>(f[a * rank + r]) * static_cast<double>(f[b * rank + r]);
      out[a * vectors_ + b] -= dot;
      if (a != b) out[b * vectors_ + a] -= dot;
    }
  // Rounding of F must not make a variance negative.
  for (std::size_t a = 0; a < vectors_; ++a) out[a * vectors_ + a] = std::max(0.0, out[a * vectors_ + a]);
}

template <class Value>
void ScoreCovariance::operator()(const data::RowView<Value>& row, double* out, Scratch& scratch) const {
  std::fill_n(out, vectors_ * vectors_, 0.0);
  if (has_covariance(posterior_.kind)) {
    scratch.sums.resize(vectors_);
    add_full(row, out, scratch);
    return;
  }
  add_variances(row, scratch);
  for (std::size_t v = 0; v < vectors_; ++v) out[v * vectors_ + v] = scratch.variances[v];
  if (posterior_.rank > 0) subtract_factor(row, out, scratch);
}

template <class Value>
void ScoreCovariance::differences(const data::RowView<Value>& row, ClassId top, double* out,
                                  Scratch& scratch) const {
  const Shape& shape = model_.shape;
  const auto own = shape.vector_of(top);
  const std::size_t rank = posterior_.rank;
  const bool dense = has_covariance(posterior_.kind);
  if (dense) {
    scratch.matrix.resize(vectors_ * vectors_);
    (*this)(row, scratch.matrix.data(), scratch);
  } else {
    add_variances(row, scratch);
    if (rank > 0) add_factors(row, scratch);
  }
  const float* f = scratch.factors.data();
  const auto covariance = [&](std::size_t a, std::size_t b) { return scratch.matrix[a * vectors_ + b]; };
  if (shape.reference) out[static_cast<std::size_t>(*shape.reference)] = 0;
  // Vectors first, each against `own` (or alone, against the reference); then the reference against `own`.
  for (std::size_t v = 0; v < vectors_; ++v) {
    double variance = 0;
    if (dense) {
      variance = covariance(v, v);
      if (own) variance += covariance(*own, *own) - 2 * covariance(v, *own);
    } else if (!own || v != *own) {
      variance = scratch.variances[v] + (own ? scratch.variances[*own] : 0.0);
      if (rank > 0) variance -= squared_distance(f + v * rank, own ? f + *own * rank : nullptr, rank);
    }
    out[static_cast<std::size_t>(shape.class_of(v))] = std::max(0.0, variance);
  }
  if (own && shape.reference) {
    double variance = dense ? covariance(*own, *own) : scratch.variances[*own];
    if (!dense && rank > 0) variance -= squared_distance(f + *own * rank, nullptr, rank);
    out[static_cast<std::size_t>(*shape.reference)] = std::max(0.0, variance);
  }
}

template void ScoreCovariance::differences(const data::RowView<float>&, ClassId, double*, Scratch&) const;
template void ScoreCovariance::differences(const data::RowView<double>&, ClassId, double*, Scratch&) const;
template void ScoreCovariance::differences(const data::RowView<data::One>&, ClassId, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<float>&, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<double>&, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<data::One>&, double*, Scratch&) const;

}  // namespace lazylogit::model
