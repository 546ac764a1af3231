#include "lazylogit/objective/likelihood.hpp"

#include <algorithm>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/transpose.hpp"
#include "lazylogit/math/compensated_sum.hpp"
#include "lazylogit/objective/likelihood_passes.hpp"
#include "lazylogit/objective/row_blocks.hpp"

namespace lazylogit::objective {
namespace {

// A gradient beyond the second-level cache is cheaper to gather by columns than to scatter into, which pays
// for the transposed copy where an entry touches several coefficients.
bool columns_pay(const Problem& problem) {
  constexpr std::size_t cached = std::size_t{1} << 15;
  const model::Shape& shape = problem.shape;
  return shape.stride() > 2 && shape.size() > cached &&
         problem.x->num_rows() <= Likelihood::probability_limit / shape.stride();
}

}  // namespace

double sum_in_order(const std::vector<double>& parts) {
  math::CompensatedSum sum;
  for (const double part : parts) sum.add(part);
  return sum.value();
}

Likelihood::Likelihood(const Problem& problem)
    : problem_(problem),
      by_columns_(columns_pay(problem)),
      block_rows_(rows_per_block(problem.shape)),
      shards_(*problem.x, by_columns_ ? 1 : problem.shape.size(), problem.shape.stride(),
              problem.choice_ends) {
  std::uint64_t before = 0;
  for (const std::uint64_t end : problem.choice_ends) {
    block_rows_ = std::max<std::size_t>(block_rows_, end - before);
    before = end;
  }
}

bool Likelihood::keeps_rows() const noexcept {
  return problem_.x->num_rows() <= probability_limit / problem_.shape.stride();
}

void Likelihood::make_columns() {
  if (columns_) return;
  columns_ = data::transposed(*problem_.x);
  column_shards_.emplace(*columns_, 1, problem_.shape.stride());
}

void Likelihood::gather_columns(const math::Vector& table, double* out) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  const math::Vector zeros(stride, 0.0);
  columns_->visit_rows([&](const auto& columns) {
    parallel_blocks(column_shards_->count(), [&](std::size_t shard) {
      for (std::size_t i = column_shards_->begin(shard); i < column_shards_->end(shard); ++i)
        scores(columns.row(i), table.data(), stride, zeros.data(), out + i * stride);
    });
  });
  sum_rows(table, out);
}

void Likelihood::sum_rows(const math::Vector& table, double* out) const {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  if (!shape.has_intercept) return;
  math::Vector sums(shards_.count() * stride, 0.0);
  parallel_blocks(shards_.count(), [&](std::size_t shard) {
    double* sum = sums.data() + shard * stride;
    for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j)
      for (std::size_t c = 0; c < stride; ++c) sum[c] += table[j * stride + c];
  });
  double* intercept = out + shape.num_features * stride;
  std::fill_n(intercept, stride, 0.0);
  for (std::size_t k = 0; k < sums.size(); ++k) intercept[k % stride] += sums[k];
}

double Likelihood::rows_value(const double* b) const {
  std::vector<double> losses(shards_.count());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      math::CompensatedSum loss;
      math::Vector of_rows(block_rows_);
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* s) {
        block_scores(problem_, rows, begin, end, b, true, s);
        residuals(problem_, begin, end, s, of_rows.data());
        for (std::size_t k = 0; k < end - begin; ++k) loss.add(of_rows[k]);
      });
      losses[shard] = loss.value();
    });
  });
  return sum_in_order(losses);
}

double Likelihood::rows_gradient(const double* b, double* gradient) {
  std::vector<double> losses(shards_.count());
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  kept_ = Kept::nothing;
  if (keeps_rows()) rows_.resize(problem_.x->num_rows() * stride);
  // Scores a block, sums its losses, keeps its residuals.
  const auto forward = [&](const auto& rows, std::size_t begin, std::size_t end, double* s, double* of_rows,
                           math::CompensatedSum& loss) {
    block_scores(problem_, rows, begin, end, b, true, s);
    residuals(problem_, begin, end, s, of_rows);
    for (std::size_t k = 0; k < end - begin; ++k) loss.add(of_rows[k]);
  };
  problem_.x->visit_rows([&](const auto& rows) {
    if (by_columns_) {
      make_columns();
      parallel_blocks(shards_.count(), [&](std::size_t shard) {
        math::CompensatedSum loss;
        math::Vector of_rows(block_rows_);
        for_blocks(shard, [&](std::size_t begin, std::size_t end, double*) {
          forward(rows, begin, end, rows_.data() + begin * stride, of_rows.data(), loss);
        });
        losses[shard] = loss.value();
      });
      gather_columns(rows_, gradient);
      return;
    }
    sharded_sum(gradient, shape.size(), [&](std::size_t shard, double* g) {
      math::CompensatedSum loss;
      math::Vector of_rows(block_rows_);
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* s) {
        if (keeps_rows()) s = rows_.data() + begin * stride;
        forward(rows, begin, end, s, of_rows.data(), loss);
        scatter_block(shape, rows, begin, end, s, g);
      });
      losses[shard] = loss.value();
    });
  });
  if (keeps_rows()) {
    kept_ = Kept::residuals;
    point_.assign(b, b + shape.size());
  }
  return sum_in_order(losses);
}

bool Likelihood::rows_remember(const double* b) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  const bool same = !point_.empty() && std::equal(point_.begin(), point_.end(), b);
  if (kept_ == Kept::probabilities && same) return false;
  const bool from_residuals = kept_ == Kept::residuals && same;
  if (!same) point_.assign(b, b + shape.size());
  if (!keeps_rows()) return false;
  rows_.resize(problem_.x->num_rows() * stride);
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double*) {
        double* p = rows_.data() + begin * stride;
        if (from_residuals) return probabilities_of_residuals(problem_, begin, end, p);
        block_scores(problem_, rows, begin, end, b, true, p);
        probabilities(problem_, begin, end, p);
      });
    });
  });
  kept_ = Kept::probabilities;
  return !from_residuals;
}

void Likelihood::rows_hessian_vector(const double* v, double* out) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride();
  problem_.x->visit_rows([&](const auto& rows) {
    if (by_columns_) {
      make_columns();
      product_.resize(problem_.x->num_rows() * stride);
      parallel_blocks(shards_.count(), [&](std::size_t shard) {
        for_blocks(shard, [&](std::size_t begin, std::size_t end, double* before) {
          double* u = product_.data() + begin * stride;
          block_scores(problem_, rows, begin, end, v, false, u);
          held_products(begin, end, rows_.data() + begin * stride, u, before, use_holds_);
        });
      });
      gather_columns(product_, out);
      return;
    }
    sharded_sum(out, shape.size(), [&](std::size_t shard, double* g) {
      math::Vector scratch(block_rows_ * stride), before(holding() ? block_rows_ * stride : 0);
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* u) {
        const double* p = remembered(rows, begin, end, scratch.data());
        block_scores(problem_, rows, begin, end, v, false, u);
        held_products(begin, end, p, u, before.data(), use_holds_);
        scatter_block(shape, rows, begin, end, u, g);
      });
    });
  });
}

}  // namespace lazylogit::objective
