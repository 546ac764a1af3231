#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/objective/likelihood_passes.hpp"

namespace lazylogit::objective {
namespace {

// q ln(q/p) − q + p for q = p + delta: never negative, and without cancellation when delta is small.
double divergence_term(double p, double delta) noexcept {
  const double q = p + delta;
  if (q <= 0) return p;
  if (p <= 0) return HUGE_VAL;
  const double ratio = delta / p;
  if (std::abs(ratio) < 1e-4) return p * ratio * ratio * (0.5 - ratio / 6);
  return q * std::log1p(ratio) - delta;
}

}  // namespace

double Likelihood::mixture_divergence(const double* b, double tau, double epsilon,
                                      std::span<const double> r) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t classes = shape.num_classes;
  std::vector<double> parts(shards_.count());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      double sum = 0;
      math::Vector s(shape.stride());
      std::vector<double> p(classes);
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const auto label = static_cast<std::size_t>(problem_.labels[j]);
        double reference_p = 0;
        if (shape.stride() == 1) {
          binary_loss(row_score(problem_, rows.row(j), j, b), true, s[0]);
          double other;
          binary_loss(-row_score(problem_, rows.row(j), j, b), true, other);
          reference_p = other;
        } else {
          row_scores(problem_, rows.row(j), j, b, s.data());
          softmax_loss(s.data(), shape.num_vectors(), 0, shape.reference.has_value(), &reference_p);
        }
        for (std::size_t v = 0; v < shape.num_vectors(); ++v)
          p[static_cast<std::size_t>(shape.class_of(v))] = s[v];
        if (shape.reference) p[static_cast<std::size_t>(*shape.reference)] = reference_p;
        double divergence = 0;
        for (std::size_t c = 0; c < classes; ++c) {
          const double target = c == label ? 1.0 : 0.0;
          divergence += divergence_term(p[c], tau * epsilon * (r[c] - p[c]) + (1 - tau) * (target - p[c]));
        }
        sum += w * divergence;
      }
      parts[shard] = sum;
    });
  });
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

// The totals Σ_j w_j x_j serve all classes, so an entry costs two additions, not one per class.
void Likelihood::constant_residual(std::span<const double> r, double* out) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  // Turns a row of sums by label into residuals.
  const auto complete = [&](double* sums, double total) {
    for (std::size_t v = 0; v < vectors; ++v)
      sums[v] = r[static_cast<std::size_t>(shape.class_of(v))] * total - sums[v];
  };
  if (by_columns_) {
    make_columns();
    std::fill_n(out, shape.size(), 0.0);
    columns_->visit_rows([&](const auto& columns) {
      parallel_blocks(column_shards_->count(), [&](std::size_t shard) {
        for (std::size_t i = column_shards_->begin(shard); i < column_shards_->end(shard); ++i) {
          const auto column = columns.row(i);
          double total = 0;
          for (std::size_t k = 0; k < column.size(); ++k) {
            const double x = problem_.weight(column.ids[k]) * column.value(k);
            const std::size_t label = label_vector(shape, problem_.labels[column.ids[k]]);
            total += x;
            if (label != no_vector) out[i * stride + label] += x;
          }
          complete(out + i * stride, total);
        }
      });
    });
    if (!shape.has_intercept) return;
    double total = 0, *sums = out + shape.num_features * stride;
    for (std::size_t j = 0; j < problem_.labels.size(); ++j) {
      const std::size_t label = label_vector(shape, problem_.labels[j]);
      total += problem_.weight(j);
      if (label != no_vector) sums[label] += problem_.weight(j);
    }
    complete(sums, total);
    return;
  }
  math::Vector all(shape.size() + shape.num_rows());  // label by label, then the totals
  problem_.x->visit_rows([&](const auto& rows) {
    sharded_sum(all.data(), all.size(), [&](std::size_t shard, double* sums) {
      double* totals = sums + shape.size();
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const auto row = rows.row(j);
        const std::size_t label = label_vector(shape, problem_.labels[j]);
        for (std::size_t k = 0; k < row.size(); ++k) {
          totals[row.ids[k]] += w * row.value(k);
          if (label != no_vector) sums[row.ids[k] * stride + label] += w * row.value(k);
        }
        if (!shape.has_intercept) continue;
        totals[shape.num_features] += w;
        if (label != no_vector) sums[shape.intercept_index(label)] += w;
      }
    });
  });
  for (std::size_t i = 0; i < shape.num_rows(); ++i) complete(all.data() + i * stride, all[shape.size() + i]);
  std::copy_n(all.begin(), shape.size(), out);
}

}  // namespace lazylogit::objective
