#include "lazylogit/model/score_covariance.hpp"

#include <algorithm>
#include <limits>

namespace lazylogit::model {
namespace {

constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

// Calls body(feature row of the layout, x) for the entries of a row and the intercept.
template <class Value, class Body>
void for_each_entry(const Shape& shape, const data::RowView<Value>& row, const Body& body) {
  for (std::size_t k = 0; k < row.size(); ++k) body(static_cast<std::size_t>(row.ids[k]), row.value(k));
  if (shape.has_intercept) body(shape.num_features, 1.0);
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

template <class Value>
void ScoreCovariance::subtract_factor(const data::RowView<Value>& row, double* out, Scratch& scratch) const {
  const std::size_t rank = posterior_.rank;
  scratch.sums.assign(vectors_ * rank, 0.0);
  for_each_entry(model_.shape, row, [&](std::size_t feature, double x) {
    const float* f = posterior_.factor.data() + model_.shape.index(feature, 0) * rank;
    for (std::size_t k = 0; k < vectors_ * rank; ++k) scratch.sums[k] += x * static_cast<double>(f[k]);
  });
  for (std::size_t a = 0; a < vectors_; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double dot = 0;
      for (std::size_t r = 0; r < rank; ++r) dot += scratch.sums[a * rank + r] * scratch.sums[b * rank + r];
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
  for_each_entry(model_.shape, row, [&](std::size_t feature, double x) {
    const double* variance = base_.data() + model_.shape.index(feature, 0);
    for (std::size_t v = 0; v < vectors_; ++v) out[v * vectors_ + v] += x * x * variance[v];
  });
  if (posterior_.rank > 0) subtract_factor(row, out, scratch);
}

template void ScoreCovariance::operator()(const data::RowView<float>&, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<double>&, double*, Scratch&) const;
template void ScoreCovariance::operator()(const data::RowView<data::One>&, double*, Scratch&) const;

}  // namespace lazylogit::model
