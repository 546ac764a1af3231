#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/objective/likelihood_passes.hpp"

namespace lazylogit::objective {
namespace {

// Calls body(vector) for the vectors that the row's label names: one, none for the reference class, or several.
template <class Body>
void for_label_vectors(const Problem& problem, std::size_t j, const Body& body) {
  if (problem.shape.response == data::Response::labels) {
    for (const ClassId c : (*problem.label_sets)[j]) body(static_cast<std::size_t>(c));
  } else if (const std::size_t label = label_vector(problem.shape, problem.labels[j]); label != no_vector) {
    body(label);
  }
}

// As divergence_term, also of a probability that is too small for a number: its logarithm is not.
double divergence_of(double p, double log_p, double delta) noexcept {
  constexpr double least = 1e-290;
  const double q = p + delta;
  return p < least && q > 0 ? q * (std::log(q) - log_p) - delta : divergence_term(p, delta);
}

}  // namespace

double Likelihood::rows_divergence(const double* b, double tau, double epsilon,
                                   std::span<const double> r) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t classes = shape.num_classes;
  std::vector<double> parts(shards_.count());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      double sum = 0;
      math::Vector s(shape.stride());
      std::vector<double> p(classes), log_p(classes, 0.0);
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const auto label = static_cast<std::size_t>(problem_.labels[j]);
        double reference_p = 0;
        if (shape.stride() == 1) {
          const double score = row_score(problem_, rows.row(j), j, b);
          s[0] = math::sigmoid(score);
          reference_p = math::sigmoid(-score);
          // Where they are asked for the other probability is 1.
          log_p[static_cast<std::size_t>(shape.class_of(0))] = score;
          if (shape.reference) log_p[static_cast<std::size_t>(*shape.reference)] = -score;
        } else {
          row_scores(problem_, rows.row(j), j, b, s.data());
          log_p.assign(classes, 0.0);
          for (std::size_t v = 0; v < shape.num_vectors(); ++v)
            log_p[static_cast<std::size_t>(shape.class_of(v))] = s[v];
          const double first = s[0];
          const double loss =
              softmax_loss(s.data(), shape.num_vectors(), 0, shape.reference.has_value(), &reference_p);
          for (double& score : log_p) score -= first + loss;  // that of the reference is 0
        }
        for (std::size_t v = 0; v < shape.num_vectors(); ++v)
          p[static_cast<std::size_t>(shape.class_of(v))] = s[v];
        if (shape.reference) p[static_cast<std::size_t>(*shape.reference)] = reference_p;
        double divergence = 0;
        for (std::size_t c = 0; c < classes; ++c) {
          const double target = c == label ? 1.0 : 0.0;
          divergence +=
              divergence_of(p[c], log_p[c], tau * epsilon * (r[c] - p[c]) + (1 - tau) * (target - p[c]));
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

void Likelihood::rows_add_constant(std::span<const double> r, double* out) {
  const model::Shape& shape = problem_.shape;
  math::Vector totals(shape.num_rows());
  problem_.x->visit_rows([&](const auto& rows) {
    sharded_sum(totals.data(), totals.size(), [&](std::size_t shard, double* sums) {
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const auto row = rows.row(j);
        scatter_one(row, w, sums);
        if (shape.has_intercept) sums[shape.num_features] += w;
      }
    });
  });
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) out[shape.index(i, v)] += r[v] * totals[i];
}

double Likelihood::rows_label_divergence(const double* b, std::span<const LabelMixture> mixtures) const {
  const model::Shape& shape = problem_.shape;
  std::vector<double> parts(shards_.count());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      double sum = 0;
      math::Vector s(shape.stride());
      std::vector<double> y(shape.num_vectors(), 0.0);
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        if (shape.stride() == 1)
          s[0] = row_score(problem_, rows.row(j), j, b);
        else
          row_scores(problem_, rows.row(j), j, b, s.data());
        const auto own = (*problem_.label_sets)[j];
        for (const ClassId c : own) y[static_cast<std::size_t>(c)] = 1;
        double divergence = 0;
        for (std::size_t v = 0; v < mixtures.size(); ++v) {
          const LabelMixture& m = mixtures[v];
          if (m.tau == 1 && m.epsilon == 0) continue;
          const double p = math::sigmoid(s[v]), other = math::sigmoid(-s[v]);
          const double delta = m.tau * m.epsilon * (m.r - p) + (1 - m.tau) * (y[v] - p);
          divergence += divergence_term(p, delta) + divergence_term(other, -delta);
        }
        sum += w * divergence;
        for (const ClassId c : own) y[static_cast<std::size_t>(c)] = 0;
      }
      parts[shard] = sum;
    });
  });
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

// The totals Σ_j w_j x_j serve all classes, so an entry costs two additions, not one per class.
void Likelihood::rows_constant_residual(std::span<const double> r, double* out) {
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
            total += x;
            for_label_vectors(problem_, column.ids[k], [&](std::size_t v) { out[i * stride + v] += x; });
          }
          complete(out + i * stride, total);
        }
      });
    });
    if (!shape.has_intercept) return;
    double total = 0, *sums = out + shape.num_features * stride;
    for (std::size_t j = 0; j < problem_.x->num_rows(); ++j) {
      total += problem_.weight(j);
      for_label_vectors(problem_, j, [&](std::size_t v) { sums[v] += problem_.weight(j); });
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
        scatter_one(row, w, totals);
        if (shape.has_intercept) totals[shape.num_features] += w;
        for_label_vectors(problem_, j, [&](std::size_t v) {
          if (stride == 1)
            scatter_one(row, w, sums);
          else
            for (std::size_t k = 0; k < row.size(); ++k) sums[row.ids[k] * stride + v] += w * row.value(k);
          if (shape.has_intercept) sums[shape.intercept_index(v)] += w;
        });
      }
    });
  });
  for (std::size_t i = 0; i < shape.num_rows(); ++i) complete(all.data() + i * stride, all[shape.size() + i]);
  std::copy_n(all.begin(), shape.size(), out);
}

}  // namespace lazylogit::objective
