// Likelihood: the Hessian times a block of vectors.
#include <cmath>

#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/math/wide_scores.hpp"
#include "lazylogit/objective/likelihood_passes.hpp"

namespace lazylogit::objective {
namespace {

// u → w p (u − Σ_a p_a u_a) for each of the columns; `mean` has room for them.
LAZYLOGIT_TARGET_CLONES void wide_curvature(const double* p, double w, std::size_t vectors,
                                            std::size_t columns, float* u, float* mean) noexcept {
  for (std::size_t b = 0; b < columns; ++b) mean[b] = 0;
  for (std::size_t a = 0; a < vectors; ++a) {
    const auto pa = static_cast<float>(p[a]);
    const float* ua = u + a * columns;
    for (std::size_t b = 0; b < columns; ++b) mean[b] += pa * ua[b];
  }
  for (std::size_t a = 0; a < vectors; ++a) {
    const auto wp = static_cast<float>(w * p[a]);
    float* ua = u + a * columns;
    for (std::size_t b = 0; b < columns; ++b) ua[b] = wp * (ua[b] - mean[b]);
  }
}

template <class Value>
void wide_row(const data::RowView<Value>& row, const math::WideTable& table, float* out) noexcept {
  if constexpr (std::is_same_v<Value, data::One>)
    math::wide_scores(row.ids.data(), nullptr, row.size(), table, out);
  else
    math::wide_scores(row.ids.data(), row.values, row.size(), table, out);
}

}  // namespace

void Likelihood::hessian_block(const float* v, std::size_t columns, const BlockSink& sink) {
  const model::Shape& shape = problem_.shape;
  const std::size_t vectors = shape.num_vectors(), width = math::wide_width(vectors * columns);
  make_columns();
  wide_product_.resize(problem_.x->num_rows() * width);
  const math::WideTable directions{v, width, width,
                                   shape.has_intercept ? v + shape.num_features * width : nullptr};
  const math::WideTable products{wide_product_.data(), width, width, nullptr};
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      std::vector<float> mean(columns);
      for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j) {
        float* u = wide_product_.data() + j * width;
        const double w = problem_.weight(j);
        if (w == 0) {
          std::fill_n(u, width, 0.0F);
          continue;
        }
        wide_row(rows.row(j), directions, u);
        wide_curvature(rows_.data() + j * shape.stride(), w, vectors, columns, u, mean.data());
      }
    });
  });
  columns_->visit_rows([&](const auto& features) {
    parallel_blocks(column_shards_->count(), [&](std::size_t shard) {
      math::AlignedVector<float> product(width);
      for (std::size_t i = column_shards_->begin(shard); i < column_shards_->end(shard); ++i) {
        wide_row(features.row(i), products, product.data());
        sink(i, product.data());
      }
    });
  });
  if (!shape.has_intercept) return;
  std::vector<math::Vector> sums(shards_.count(), math::Vector(width, 0.0));
  parallel_blocks(shards_.count(), [&](std::size_t shard) {
    for (std::size_t j = shards_.begin(shard); j < shards_.end(shard); ++j)
      for (std::size_t c = 0; c < width; ++c)
        sums[shard][c] += static_cast<double>(wide_product_[j * width + c]);
  });
  math::AlignedVector<float> product(width);
  for (std::size_t c = 0; c < width; ++c) {
    double sum = 0;
    for (const math::Vector& part : sums) sum += part[c];
    product[c] = static_cast<float>(sum);
  }
  sink(shape.num_features, product.data());
}

std::size_t Likelihood::block_columns(std::size_t most) const {
  if (!by_columns_ || is_centered() || problem_.shape.response != data::Response::classes) return 0;
  // Products of all rows: 64 MiB, or as much as those of one vector in double precision.
  constexpr std::size_t room = std::size_t{1} << 24;
  const std::size_t per_column =
      std::max<std::size_t>(1, problem_.x->num_rows() * problem_.shape.num_vectors());
  return std::min(most, std::max<std::size_t>(2, room / per_column));
}

void Likelihood::forget_block() { wide_product_ = {}; }

}  // namespace lazylogit::objective
