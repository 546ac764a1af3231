// Likelihood: the diagonal of its Hessian and the whole of it.
#include <algorithm>
#include <cmath>

#include "lazylogit/objective/gram_kernel.hpp"
#include "lazylogit/objective/likelihood_passes.hpp"

namespace lazylogit::objective {
namespace {

// Time of a multiply–add in dense tiles, relative to one that is scattered.
constexpr double dense_discount = 1.0 / 12;
// The same relative to the multiply–adds of a pass over several vectors, which are not scattered.
constexpr double dense_discount_vectors = 1.0 / 2;

}  // namespace

void Likelihood::rows_hessian_diagonal(double* out) {
  if (!problem_.choice_ends.empty()) {
    std::fill_n(out, problem_.shape.size(), 0.0);
    return add_choice_curvature(out, nullptr);
  }
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  problem_.x->visit_rows([&](const auto& rows) {
    if (by_columns_) {
      make_columns();
      product_.resize(problem_.x->num_rows() * stride);
      parallel_blocks(shards_.count(), [&](std::size_t shard) {
        held_variances(shards_.begin(shard), shards_.end(shard), rows_.data() + shards_.begin(shard) * stride,
                       product_.data() + shards_.begin(shard) * stride);
      });
      sum_rows(product_, out);
      columns_->visit_rows([&](const auto& columns) {
        parallel_blocks(column_shards_->count(), [&](std::size_t shard) {
          for (std::size_t i = column_shards_->begin(shard); i < column_shards_->end(shard); ++i)
            gather_squares(columns.row(i), product_.data(), stride, out + i * stride);
        });
      });
      return;
    }
    sharded_sum(out, shape.size(), [&](std::size_t shard, double* g) {
      math::Vector scratch(block_rows_ * stride);
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* h) {
        held_variances(begin, end, remembered(rows, begin, end, scratch.data()), h);
        for (std::size_t j = begin; j < end; ++j) {
          const double* of_row = h + (j - begin) * stride;
          scatter_squares(rows.row(j), of_row, stride, g);
          if (shape.has_intercept)
            for (std::size_t c = 0; c < stride; ++c) g[shape.num_features * stride + c] += of_row[c];
        }
      });
    });
  });
}

void Likelihood::rows_variances(double* out) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  problem_.x->visit_rows([&](const auto& rows) {
    if (by_columns_) {
      make_columns();
      product_.resize(problem_.x->num_rows() * stride);
      held_variances(0, problem_.x->num_rows(), rows_.data(), product_.data());
      gather_columns(product_, out);
      return;
    }
    sharded_sum(out, shape.size(), [&](std::size_t shard, double* g) {
      math::Vector scratch(rows_per_block(shape) * stride);
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* h) {
        held_variances(begin, end, remembered(rows, begin, end, scratch.data()), h);
        scatter_block(shape, rows, begin, end, h, g);
      });
    });
  });
}

// x xᵀ ⊗ (diag p − p pᵀ / total) among the vectors that are active.
void Likelihood::add_active(std::span<const std::size_t> at, std::span<const double> x,
                            std::span<const std::size_t> active, const double* p, double total, double w,
                            double* out) const {
  const std::size_t size = problem_.shape.size();
  for (std::size_t i = 0; i < at.size(); ++i)
    for (const std::size_t a : active) {
      double* to = out + (at[i] + a) * size;
      for (std::size_t h = i; h < at.size(); ++h) {
        const double product = w * x[i] * x[h] * p[a];
        for (const std::size_t c : active) to[at[h] + c] += product * ((a == c ? 1 : 0) - p[c] / total);
      }
    }
}

// Row by row: x xᵀ ⊗ curvature, upper triangle by features; the curvature is diag p − p pᵀ, or a diagonal.
template <class View>
void Likelihood::add_sparse_matrix(const View& rows, std::size_t begin, std::size_t end, double least,
                                   double* out) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors(), size = shape.size();
  const bool coupled = couples_vectors(problem_);
  math::Vector scratch(block_rows_ * stride), own(block_rows_ * stride);
  math::Vector block(coupled ? vectors * vectors : 0);
  std::vector<std::size_t> at, active;
  std::vector<double> x;
  for (std::size_t first = begin; first < end; first += block_rows_) {
    const std::size_t last = std::min(end, first + block_rows_);
    const double* p = remembered(rows, first, last, scratch.data());
    if (!coupled) held_variances(first, last, p, own.data());
    for (std::size_t j = first; j < last; ++j, p += stride) {
      const double w = problem_.weight(j);
      if (w == 0) continue;
      const auto row = rows.row(j);
      at.clear();
      x.clear();
      for (std::size_t k = 0; k < row.size(); ++k)
        at.push_back(row.ids[k] * stride), x.push_back(row.value(k));
      if (shape.has_intercept) at.push_back(shape.num_features * stride), x.push_back(1);
      if (!coupled) {
        const double* of_row = own.data() + (j - first) * stride;
        for (std::size_t i = 0; i < at.size(); ++i)
          for (std::size_t h = i; h < at.size(); ++h)
            for (std::size_t a = 0; a < vectors; ++a)
              out[(at[i] + a) * size + at[h] + a] += x[i] * x[h] * of_row[a];
        continue;
      }
      const auto add = [&](const double* of_row, double total) {
        active.clear();
        for (std::size_t a = 0; a < vectors; ++a)
          if (of_row[a] > least * total) active.push_back(a);
        if (2 * active.size() < vectors) return add_active(at, x, active, of_row, total, w, out);
        for (std::size_t a = 0; a < vectors; ++a)
          for (std::size_t c = 0; c < vectors; ++c)
            block[a * vectors + c] = w * of_row[a] * ((a == c ? 1 : 0) - of_row[c] / total);
        for (std::size_t i = 0; i < at.size(); ++i)
          for (std::size_t a = 0; a < vectors; ++a) {
            double* to = out + (at[i] + a) * size;
            for (std::size_t h = i; h < at.size(); ++h) {
              const double product = x[i] * x[h];
              for (std::size_t c = 0; c < vectors; ++c) to[at[h] + c] += product * block[a * vectors + c];
            }
          }
      };
      add(p, 1);
      if (const double* held = holding() ? holds_.of(j) : nullptr) add(held, holds_.total(j));
    }
  }
}

// Σ_j w (x xᵀ) ⊗ (diag p − p pᵀ) as products of dense blocks. Vectors that are not coupled: (w p(1−p) x) xᵀ each.
// Several that are: −z zᵀ with z = √w x ⊗ p, and (w p_c x) xᵀ for each vector c on its diagonal. Sums stand without gaps in `out`, vectors
// of a feature together; then the blocks of the vectors.
template <class View>
void Likelihood::add_dense_matrix(const View& rows, std::size_t begin, std::size_t end, double* out) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors(), features = shape.num_rows();
  const std::size_t width = features * vectors, step = block_rows_;
  const std::size_t ld = gram_padded(features), wide = gram_padded(width);
  const bool coupled = couples_vectors(problem_);
  math::Vector scratch(step * stride), own(step * stride), x(step * ld, 0.0), weighted(step * ld, 0.0);
  math::Vector z(coupled ? step * wide : 0, 0.0), negative(z.size(), 0.0);
  for (std::size_t first = begin; first < end; first += step) {
    const std::size_t last = std::min(end, first + step), count = last - first;
    const double* p = remembered(rows, first, last, scratch.data());
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t j = first; j < last; ++j) {
      const auto row = rows.row(j);
      double* to = x.data() + (j - first) * ld;
      for (std::size_t k = 0; k < row.size(); ++k) to[row.ids[k]] = row.value(k);
      if (shape.has_intercept) to[shape.num_features] = 1;
    }
    if (!coupled) held_variances(first, last, p, own.data());
    // Row `to` of z: √factor x_j ⊗ of_row.
    const auto put = [&](std::size_t to, std::size_t j, double factor, const double* of_row) {
      const double root = std::sqrt(factor);
      for (std::size_t i = 0; i < features; ++i)
        for (std::size_t c = 0; c < vectors; ++c)
          z[to * wide + i * vectors + c] = root * x[j * ld + i] * of_row[c];
    };
    const auto take_off = [&](std::size_t filled) {
      for (std::size_t k = 0; k < filled * wide; ++k) negative[k] = -z[k];
      add_gram(negative.data(), z.data(), filled, wide, width, out);
    };
    if (coupled) {
      for (std::size_t j = 0; j < count; ++j) put(j, j, problem_.weight(first + j), p + j * stride);
      take_off(count);
    }
    if (coupled && holding()) {
      std::size_t held = 0;
      for (std::size_t j = 0; j < count; ++j)
        if (const double* r = holds_.of(first + j))
          put(held++, j, problem_.weight(first + j) / holds_.total(first + j), r);
      take_off(held);
    }
    for (std::size_t c = 0; c < vectors; ++c) {
      for (std::size_t j = 0; j < count; ++j) {
        const double* r = coupled && holding() ? holds_.of(first + j) : nullptr;
        const double h = coupled
                             ? problem_.weight(first + j) * (p[j * stride + c] + (r != nullptr ? r[c] : 0.0))
                             : own[j * stride + c];
        for (std::size_t i = 0; i < ld; ++i) weighted[j * ld + i] = h * x[j * ld + i];
      }
      double* block = vectors > 1 ? out + width * width + c * features * features : out;
      add_gram(weighted.data(), x.data(), count, ld, features, block);
    }
  }
}

namespace {

// Σ over rows of (entries + 1)²: what a Hessian costs that is made row by row.
double squared_lengths(const data::SparseMatrix& x) {
  double squares = 0;
  for (std::size_t j = 0; j < x.num_rows(); ++j) {
    const auto entries = static_cast<double>(x.row_size(j) + 1);
    squares += entries * entries;
  }
  return squares;
}

}  // namespace

bool Likelihood::dense_matrix() const {
  const auto features = static_cast<double>(problem_.shape.num_rows());
  const double squares = squared_lengths(*problem_.x);
  return dense_discount * features * features * static_cast<double>(problem_.x->num_rows()) < squares;
}

double Likelihood::matrix_cost(double least) const {
  const auto rows = static_cast<double>(problem_.x->num_rows());
  const auto features = static_cast<double>(problem_.shape.num_rows());
  const auto vectors = static_cast<double>(problem_.shape.num_vectors());
  const double squares = squared_lengths(*problem_.x);
  const bool coupled = couples_vectors(problem_);
  const double discount = coupled ? dense_discount_vectors : dense_discount;
  if (coupled && least > 0 && kept_ == Kept::probabilities && !dense_matrix()) return active_cost(least);
  return 0.5 * vectors * (coupled ? vectors : 1) * std::min(squares, discount * features * features * rows);
}

double Likelihood::active_cost(double least) const {
  const std::size_t stride = problem_.shape.stride(), vectors = problem_.shape.num_vectors();
  double cost = 0;
  for (std::size_t j = 0; j < problem_.x->num_rows(); ++j) {
    const double* p = rows_.data() + j * stride;
    const auto active =
        static_cast<double>(std::count_if(p, p + vectors, [&](double x) { return x > least; }));
    const double entries = active * static_cast<double>(problem_.x->row_size(j) + 1);
    cost += 0.5 * entries * entries;
  }
  return cost;
}

void Likelihood::rows_hessian_matrix(double* out, double least) {
  if (!problem_.choice_ends.empty()) {
    std::fill_n(out, problem_.shape.size() * problem_.shape.size(), 0.0);
    return add_choice_curvature(nullptr, out);
  }
  const model::Shape& shape = problem_.shape;
  const std::size_t size = shape.size(), stride = shape.stride(), vectors = shape.num_vectors();
  const std::size_t features = shape.num_rows(), width = features * vectors;
  if (!dense_matrix()) {
    const Shards shards(*problem_.x, size * size, stride);
    std::vector<math::Vector> others(shards.count() - 1);
    std::vector<double*> targets{out};
    for (auto& other : others) other.resize(size * size), targets.push_back(other.data());
    problem_.x->visit_rows([&](const auto& rows) {
      parallel_blocks(shards.count(), [&](std::size_t shard) {
        std::fill_n(targets[shard], size * size, 0.0);
        add_sparse_matrix(rows, shards.begin(shard), shards.end(shard), least, targets[shard]);
      });
    });
    add_in_order(targets, size * size);
  } else {
    const std::size_t room = width * width + (vectors > 1 ? vectors * features * features : 0);
    const Shards shards(*problem_.x, room, width);
    std::vector<math::Vector> sums(shards.count());
    std::vector<double*> targets;
    for (auto& sum : sums) sum.assign(room, 0.0), targets.push_back(sum.data());
    problem_.x->visit_rows([&](const auto& rows) {
      parallel_blocks(shards.count(), [&](std::size_t shard) {
        add_dense_matrix(rows, shards.begin(shard), shards.end(shard), targets[shard]);
      });
    });
    add_in_order(targets, room);
    const double* sum = targets[0];
    std::fill_n(out, size * size, 0.0);
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t h = i; h < width; ++h) {
        const std::size_t fi = i / vectors, ci = i % vectors, fh = h / vectors, ch = h % vectors;
        double value = sum[i * width + h];
        if (vectors > 1 && ci == ch)
          value += sum[width * width + ci * features * features + fi * features + fh];
        out[(fi * stride + ci) * size + fh * stride + ch] = value;
      }
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t h = 0; h < i; ++h) out[i * size + h] = out[h * size + i];
}

}  // namespace lazylogit::objective
