#include "lazylogit/model/score_covariance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/math/wide_scores.hpp"

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

// ‖a − b‖²; b null: 0. Eight sums side by side, then those in order: the same on every instruction set.
LAZYLOGIT_TARGET_CLONES
double squared_distance(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t lanes = 8;
  double sums[lanes] = {};
  std::size_t k = 0;
  if (b == nullptr) {
    for (; k + lanes <= count; k += lanes)
      for (std::size_t l = 0; l < lanes; ++l)
        sums[l] += static_cast<double>(a[k + l]) * static_cast<double>(a[k + l]);
  } else {
    for (; k + lanes <= count; k += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        const double d = static_cast<double>(a[k + l]) - static_cast<double>(b[k + l]);
        sums[l] += d * d;
      }
  }
  for (; k < count; ++k) {
    const double d = static_cast<double>(a[k]) - (b == nullptr ? 0.0 : static_cast<double>(b[k]));
    sums[k % lanes] += d * d;
  }
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

// Runs body(feature) for all rows of the layout, in parallel.
template <class Body>
void for_features(const Shape& shape, const Body& body) {
  constexpr std::size_t features_of_block = 1024;
  parallel_blocks(num_blocks_of(shape.num_rows(), features_of_block), [&](std::size_t block) {
    const std::size_t end = std::min(shape.num_rows(), (block + 1) * features_of_block);
    for (std::size_t feature = block * features_of_block; feature < end; ++feature) body(feature);
  });
}

// Whether holds(v, from) for all differences from the vector `own` (from the reference, where there is none): v against
// `from`, or alone.
template <class Holds>
bool for_differences(const Shape& shape, std::optional<std::size_t> own, const Holds& holds) {
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    if (!(own && v == *own) && !holds(v, own)) return false;
  return !own || !shape.reference || holds(*own, std::nullopt);
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
  const Shape& shape = model.shape;
  if (rank > 0) add_factor_lengths();
  if (model.centers.empty()) return;
  cross_.assign(shape.size(), 0.0);
  for (std::size_t feature = 0; feature < shape.num_features; ++feature)
    for (std::size_t v = 0; v < vectors_; ++v)
      cross_[shape.index(feature, v)] = -2 * model.centers[feature] * base_[shape.index(feature, v)];
}

void ScoreCovariance::add_factor_lengths() {
  const std::size_t rank = posterior_.rank;
  const Shape& shape = model_.shape;
  width_ = math::wide_width(vectors_);
  lengths_.assign(shape.num_rows() * width_, 0.0F);
  for_features(shape, [&](std::size_t feature) {
    for (std::size_t v = 0; v < vectors_; ++v) {
      const std::size_t i = shape.index(feature, v);
      const double square = squared_distance(posterior_.factor.data() + i * rank, nullptr, rank);
      base_[i] += square;
      lengths_[feature * width_ + v] = static_cast<float>(1.0001 * std::sqrt(square));  // rounded up: a bound
    }
  });
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

template <class Value>
void ScoreCovariance::variances(const data::RowsView<Value>& rows, RowInterval interval, math::Vector& out,
                                Scratch& scratch) const {
  if (has_covariance(posterior_.kind)) return;
  const Shape& shape = model_.shape;
  if constexpr (!std::is_same_v<Value, data::One>)
    if (rows.source != nullptr) {
      out.resize(interval.size() * shape.stride());
      math::Vector own;
      for (std::size_t j = interval.first; j < interval.last; ++j) {
        const data::RowView<Value> row = rows.row(j);
        const std::uint64_t ends[] = {0, row.size()};
        variances(data::RowsView<Value>{ends, row.ids.data(), row.values, 1}, {0, 1}, own, scratch);
        std::copy(own.begin(), own.end(), out.data() + (j - interval.first) * shape.stride());
      }
      return;
    }
  const std::uint64_t begin = rows.offsets[interval.first], end = rows.offsets[interval.last];
  scratch.offsets.clear();
  for (std::size_t j = interval.first; j <= interval.last; ++j)
    scratch.offsets.push_back(rows.offsets[j] - begin);
  const math::RowRange range{scratch.offsets.data(), rows.ids + begin, interval.size()};
  const math::ScoreTable table{base_.data(), shape.stride(),
                               shape.has_intercept ? base_.data() + shape.intercept_index(0) : nullptr};
  out.resize(interval.size() * shape.stride());
  if constexpr (std::is_same_v<Value, data::One>) {
    math::score_rows(range, nullptr, table, out.data());
    if (!cross_.empty()) add_cross(range, nullptr, out, scratch);
  } else {
    scratch.value.resize(end - begin);
    for (std::uint64_t k = begin; k < end; ++k) {
      const auto x = static_cast<double>(rows.values[k]);
      scratch.value[k - begin] = x * x;
    }
    math::score_rows(range, scratch.value.data(), table, out.data());
    if (cross_.empty()) return;
    for (std::uint64_t k = begin; k < end; ++k)
      scratch.value[k - begin] = static_cast<double>(rows.values[k]);
    add_cross(range, scratch.value.data(), out, scratch);
  }
}

void ScoreCovariance::add_cross(const math::RowRange& range, const double* values, math::Vector& out,
                                Scratch& scratch) const {
  scratch.cross.resize(out.size());
  const math::ScoreTable table{cross_.data(), model_.shape.stride(), nullptr};
  if (values == nullptr)
    math::score_rows(range, nullptr, table, scratch.cross.data());
  else
    math::score_rows(range, values, table, scratch.cross.data());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::max(0.0, out[k] + scratch.cross[k]);
}

template <class Value>
bool ScoreCovariance::factor_is_negligible(const data::RowView<Value>& row, std::optional<std::size_t> own,
                                           const double* variances, Scratch& scratch) const {
  const Shape& shape = model_.shape;
  scratch.lengths.resize(width_);
  const math::WideTable table{lengths_.data(), width_, width_,
                              shape.has_intercept ? lengths_.data() + shape.num_features * width_ : nullptr};
  if constexpr (std::is_same_v<Value, data::One>) {
    math::wide_scores(row.ids.data(), nullptr, row.size(), table, scratch.lengths.data());
  } else {
    scratch.sizes.resize(row.size());
    for (std::size_t k = 0; k < row.size(); ++k)
      scratch.sizes[k] = std::abs(static_cast<float>(row.values[k]));
    math::wide_scores(row.ids.data(), scratch.sizes.data(), row.size(), table, scratch.lengths.data());
  }
  return for_differences(shape, own, [&](std::size_t v, std::optional<std::size_t> from) {
    const auto length = static_cast<double>(scratch.lengths[v] + (from ? scratch.lengths[*from] : 0.0F));
    return length * length <= negligible * (variances[v] + (from ? variances[*from] : 0.0));
  });
}

// x F, `rank` numbers for each vector.
template <class Value>
void ScoreCovariance::add_factors(const data::RowView<Value>& row, Scratch& scratch) const {
  const Shape& shape = model_.shape;
  const std::size_t rank = posterior_.rank, ld = shape.stride() * rank,
                    width = math::wide_width(vectors_ * rank);
  if (width <= ld) {
    scratch.factors.resize(width);
    const float* factor = posterior_.factor.data();
    const math::WideTable table{factor, ld, width,
                                shape.has_intercept ? factor + shape.num_features * ld : nullptr};
    if constexpr (std::is_same_v<Value, data::One>)
      return math::wide_scores(row.ids.data(), nullptr, row.size(), table, scratch.factors.data());
    else
      return math::wide_scores(row.ids.data(), row.values, row.size(), table, scratch.factors.data());
  }
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
  const std::uint64_t ends[2] = {0, row.size()};
  if constexpr (std::is_same_v<Value, data::One>)
    variances(data::RowsView<Value>{ends, row.ids.data(), nullptr, 1}, {0, 1}, scratch.variances, scratch);
  else
    variances(data::RowsView<Value>{ends, row.ids.data(), row.values, 1}, {0, 1}, scratch.variances, scratch);
  for (std::size_t v = 0; v < vectors_; ++v) out[v * vectors_ + v] = scratch.variances[v];
  if (posterior_.rank > 0) subtract_factor(row, out, scratch);
}

template <class Value>
void ScoreCovariance::differences(const data::RowView<Value>& row, ClassId top, const double* variances,
                                  double* out, Scratch& scratch) const {
  const Shape& shape = model_.shape;
  const auto own = shape.vector_of(top);
  std::size_t rank = posterior_.rank;
  const bool dense = has_covariance(posterior_.kind);
  if (dense) {
    scratch.matrix.resize(vectors_ * vectors_);
    (*this)(row, scratch.matrix.data(), scratch);
  } else if (rank > 0) {
    if (factor_is_negligible(row, own, variances, scratch))
      rank = 0;
    else
      add_factors(row, scratch);
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
      variance = variances[v] + (own ? variances[*own] : 0.0);
      if (rank > 0) variance -= squared_distance(f + v * rank, own ? f + *own * rank : nullptr, rank);
    }
    out[static_cast<std::size_t>(shape.class_of(v))] = std::max(0.0, variance);
  }
  if (own && shape.reference) {
    double variance = dense ? covariance(*own, *own) : variances[*own];
    if (!dense && rank > 0) variance -= squared_distance(f + *own * rank, nullptr, rank);
    out[static_cast<std::size_t>(*shape.reference)] = std::max(0.0, variance);
  }
}

template void ScoreCovariance::variances(const data::RowsView<float>&, RowInterval, math::Vector&,
                                         Scratch&) const;
template void ScoreCovariance::differences(const data::RowView<float>&, ClassId, const double*, double*,
                                           Scratch&) const;
template void ScoreCovariance::variances(const data::RowsView<double>&, RowInterval, math::Vector&,
                                         Scratch&) const;
template void ScoreCovariance::differences(const data::RowView<double>&, ClassId, const double*, double*,
                                           Scratch&) const;
template void ScoreCovariance::variances(const data::RowsView<data::One>&, RowInterval, math::Vector&,
                                         Scratch&) const;
template void ScoreCovariance::differences(const data::RowView<data::One>&, ClassId, const double*, double*,
                                           Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<float>&, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<double>&, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<data::One>&, double*, Scratch&) const;

}  // namespace lazylogit::model
