#include "lazylogit/objective/likelihood.hpp"

#include <algorithm>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/compensated_sum.hpp"
#include "lazylogit/objective/row_scores.hpp"

namespace lazylogit::objective {
namespace {

using math::CompensatedSum;

double sum_in_order(const std::vector<double>& parts) {
  CompensatedSum sum;
  for (const double part : parts) sum.add(part);
  return sum.value();
}

}  // namespace

Likelihood::Likelihood(const Problem& problem)
    : problem_(problem), shards_(*problem.x, problem.shape.size(), problem.shape.stride()) {}

template <class Body>
void Likelihood::sharded_sum(double* out, std::size_t size, const Body& body) {
  std::vector<double*> targets{out};
  buffers_.resize(shards_.count() - 1);
  for (auto& buffer : buffers_) {
    buffer.resize(size);
    targets.push_back(buffer.data());
  }
  parallel_blocks(shards_.count(), [&](std::size_t shard) {
    std::fill_n(targets[shard], size, 0.0);
    body(shard, targets[shard]);
  });
  add_in_order(targets, size);
}

double Likelihood::value(const double* b) const {
  std::vector<double> losses(shards_.count());
  const model::Shape& shape = problem_.shape;
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      CompensatedSum loss;
      math::Vector s(shape.stride());
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const std::size_t label = label_vector(shape, problem_.labels[j]);
        if (shape.stride() == 1) {
          double p;
          loss.add(w * binary_loss(row_score(problem_, rows.row(j), j, b), label == 0, p));
        } else {
          row_scores(problem_, rows.row(j), j, b, s.data());
          loss.add(w *
                   softmax_loss(s.data(), shape.num_vectors(), label, shape.reference.has_value(), nullptr));
        }
      }
      losses[shard] = loss.value();
    });
  });
  return sum_in_order(losses);
}

double Likelihood::value_and_gradient(const double* b, double* gradient) {
  std::vector<double> losses(shards_.count());
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  problem_.x->visit_rows([&](const auto& rows) {
    sharded_sum(gradient, shape.size(), [&](std::size_t shard, double* g) {
      CompensatedSum loss;
      math::Vector s(stride), intercept(stride, 0.0);
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const auto row = rows.row(j);
        const std::size_t label = label_vector(shape, problem_.labels[j]);
        if (stride == 1) {
          double p;
          loss.add(w * binary_loss(row_score(problem_, row, j, b), label == 0, p));
          const double r = w * (p - (label == 0 ? 1.0 : 0.0));
          scatter_one(row, r, g);
          intercept[0] += r;
        } else {
          row_scores(problem_, row, j, b, s.data());
          loss.add(w * softmax_loss(s.data(), vectors, label, shape.reference.has_value(), nullptr));
          if (label != no_vector) s[label] -= 1;
          for (std::size_t c = 0; c < vectors; ++c) intercept[c] += s[c] *= w;
          scatter(row, s.data(), stride, g);
        }
      }
      if (shape.has_intercept)
        for (std::size_t c = 0; c < vectors; ++c) g[shape.intercept_index(c)] += intercept[c];
      losses[shard] = loss.value();
    });
  });
  return sum_in_order(losses);
}

void Likelihood::remember(const double* b) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), rows_kept = problem_.x->num_rows();
  if (rows_kept > probability_limit / stride) {
    point_.assign(b, b + shape.size());
    remembered_.clear();
    return;
  }
  point_.clear();
  remembered_.resize(rows_kept * stride);
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        double* p = remembered_.data() + j * stride;
        if (stride == 1) {
          binary_loss(row_score(problem_, rows.row(j), j, b), true, *p);
        } else {
          row_scores(problem_, rows.row(j), j, b, p);
          softmax_loss(p, shape.num_vectors(), 0, shape.reference.has_value(), nullptr);
        }
      }
    });
  });
}

template <class View>
const double* Likelihood::probabilities(const View& rows, std::size_t row, double* scratch) const {
  const model::Shape& shape = problem_.shape;
  if (point_.empty()) return remembered_.data() + row * shape.stride();
  if (shape.stride() == 1) {
    binary_loss(row_score(problem_, rows.row(row), row, point_.data()), true, *scratch);
  } else {
    row_scores(problem_, rows.row(row), row, point_.data(), scratch);
    softmax_loss(scratch, shape.num_vectors(), 0, shape.reference.has_value(), nullptr);
  }
  return scratch;
}

void Likelihood::hessian_vector(const double* v, double* out) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  problem_.x->visit_rows([&](const auto& rows) {
    sharded_sum(out, shape.size(), [&](std::size_t shard, double* g) {
      math::Vector u(stride), scratch(stride), intercept(stride, 0.0);
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        const double w = problem_.weight(j);
        if (w == 0) continue;
        const auto row = rows.row(j);
        const double* p = probabilities(rows, j, scratch.data());
        if (stride == 1) {
          const double r = w * p[0] * (1 - p[0]) * row_score(problem_, row, j, v, false);
          scatter_one(row, r, g);
          intercept[0] += r;
        } else {
          row_scores(problem_, row, j, v, u.data(), false);
          double mean = 0;
          for (std::size_t c = 0; c < vectors; ++c) mean += p[c] * u[c];
          for (std::size_t c = 0; c < vectors; ++c) intercept[c] += u[c] = w * p[c] * (u[c] - mean);
          scatter(row, u.data(), stride, g);
        }
      }
      if (shape.has_intercept)
        for (std::size_t c = 0; c < vectors; ++c) g[shape.intercept_index(c)] += intercept[c];
    });
  });
}

template <class View>
void Likelihood::add_diagonal(const View& rows, std::size_t shard, double* out) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  math::Vector scratch(stride), h(stride, 0.0), intercept(stride, 0.0);
  for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
    const double w = problem_.weight(j);
    if (w == 0) continue;
    const double* p = probabilities(rows, j, scratch.data());
    for (std::size_t c = 0; c < vectors; ++c) intercept[c] += h[c] = w * p[c] * (1 - p[c]);
    scatter_squares(rows.row(j), h.data(), stride, out);
  }
  if (shape.has_intercept)
    for (std::size_t c = 0; c < vectors; ++c) out[shape.intercept_index(c)] += intercept[c];
}

void Likelihood::hessian_diagonal(double* out) {
  problem_.x->visit_rows([&](const auto& rows) {
    sharded_sum(out, problem_.shape.size(),
                [&](std::size_t shard, double* g) { add_diagonal(rows, shard, g); });
  });
}

// Row by row: x xᵀ ⊗ (diag p − p pᵀ), upper triangle by features; mirrored at the end.
template <class View>
void Likelihood::add_matrix(const View& rows, std::size_t shard, double* out) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors(), size = shape.size();
  math::Vector scratch(stride), block(vectors * vectors);
  std::vector<std::size_t> at;
  std::vector<double> x;
  for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
    const double w = problem_.weight(j);
    if (w == 0) continue;
    const double* p = probabilities(rows, j, scratch.data());
    const auto row = rows.row(j);
    at.clear();
    x.clear();
    for (std::size_t k = 0; k < row.size(); ++k) at.push_back(row.ids[k] * stride), x.push_back(row.value(k));
    if (shape.has_intercept) at.push_back(shape.num_features * stride), x.push_back(1);
    for (std::size_t a = 0; a < vectors; ++a)
      for (std::size_t c = 0; c < vectors; ++c) block[a * vectors + c] = w * p[a] * ((a == c ? 1 : 0) - p[c]);
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t a = 0; a < vectors; ++a) {
        double* to = out + (at[i] + a) * size;
        for (std::size_t h = i; h < at.size(); ++h) {
          const double product = x[i] * x[h];
          for (std::size_t c = 0; c < vectors; ++c) to[at[h] + c] += product * block[a * vectors + c];
        }
      }
  }
}

void Likelihood::hessian_matrix(double* out) {
  const std::size_t size = problem_.shape.size();
  problem_.x->visit_rows([&](const auto& rows) {
    sharded_sum(out, size * size, [&](std::size_t shard, double* g) { add_matrix(rows, shard, g); });
  });
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t h = 0; h < i; ++h) out[i * size + h] = out[h * size + i];
  buffers_.clear();
  buffers_.shrink_to_fit();
}

}  // namespace lazylogit::objective
