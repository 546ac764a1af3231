#include "lazylogit/train/kept_rows.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"

namespace lazylogit::train {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double smallest_share = 1e-10;  // of the largest diagonal entry
constexpr std::size_t draw = 64, rows_per_block = 1024;

// K(x_i, x_m) of every row with the given ones.
RowMajor kernel_columns(const data::SparseMatrix& x, const data::KernelMap& like,
                        const std::vector<std::size_t>& which) {
  data::KernelMap map = like;
  map.kept = data::rows_to_keep(x, which);
  const data::KernelMapper mapper(map);
  RowMajor columns(static_cast<Index>(x.num_rows()), static_cast<Index>(which.size()));
  parallel_blocks(num_blocks_of(x.num_rows(), rows_per_block), [&](std::size_t block) {
    const std::size_t first = block * rows_per_block, last = std::min(x.num_rows(), first + rows_per_block);
    mapper.dense(x, first, last, columns.data() + first * which.size());
  });
  return columns;
}

std::vector<double> diagonal_of(const data::SparseMatrix& x, const data::KernelMap& map) {
  std::vector<double> diagonal = data::self_kernels(x, map);
  for (std::size_t j = 0; j < diagonal.size(); ++j)
    if (!std::isfinite(diagonal[j]))
      throw ConfigError(fmt::format("the kernel of row {} with itself overflows", j + 1), "kernel",
                        "scale the features with --standardize scale, or take a lower --kernel-degree");
  return diagonal;
}

// Up to `count` different rows, drawn with a probability proportional to `left`, which is at least `least` there.
std::vector<std::size_t> draw_rows(const std::vector<double>& left, double least, std::size_t count,
                                   Random& random) {
  std::vector<std::size_t> candidates;
  std::vector<double> cumulative;
  double sum = 0;
  for (std::size_t j = 0; j < left.size(); ++j)
    if (left[j] > least) {
      candidates.push_back(j);
      cumulative.push_back(sum += left[j]);
    }
  std::vector<std::size_t> drawn;
  if (candidates.size() <= count) return candidates;
  std::vector<bool> taken(candidates.size());
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(
        std::upper_bound(cumulative.begin(), cumulative.end(), random.uniform() * sum) - cumulative.begin());
    const std::size_t candidate = std::min(at, candidates.size() - 1);
    if (!taken[candidate]) drawn.push_back(candidates[candidate]);
    taken[candidate] = true;
  }
  return drawn;
}

// Pivoted Cholesky of a small matrix: the order of the rows that are left with more than `least`, and the factor in it.
struct SmallFactor {
  std::vector<Index> order;
  Eigen::MatrixXd lower;
};

SmallFactor factor_small(Eigen::MatrixXd left, double least) {
  SmallFactor result;
  const Index size = left.rows();
  Eigen::MatrixXd columns(size, size);  // of the factor, rows unpermuted
  for (Index k = 0; k < size; ++k) {
    Index pivot = 0;
    if (!(left.diagonal().maxCoeff(&pivot) > least)) break;
    columns.col(k) = left.col(pivot) / std::sqrt(left(pivot, pivot));
    left.noalias() -= columns.col(k) * columns.col(k).transpose();
    left.row(pivot).setZero();
    left.col(pivot).setZero();
    for (const Index before : result.order) columns(before, k) = 0;
    result.order.push_back(pivot);
  }
  const auto rank = static_cast<Index>(result.order.size());
  result.lower.resize(rank, rank);
  for (Index r = 0; r < rank; ++r)
    result.lower.row(r) = columns.row(result.order[static_cast<std::size_t>(r)]).head(rank);
  return result;
}

}  // namespace

KeptRows choose_kept_rows(const data::SparseMatrix& x, const data::KernelMap& map, std::size_t most,
                          std::uint64_t seed, const CancelToken& cancel) {
  const std::size_t n = x.num_rows();
  std::vector<double> left = diagonal_of(x, map);
  const double least = smallest_share * *std::max_element(left.begin(), left.end());
  Random random(seed);
  KeptRows kept;
  std::vector<RowMajor> parts;  // of G, by columns
  const std::size_t num_blocks = num_blocks_of(n, rows_per_block);
  while (kept.rows.size() < most) {
    cancel.throw_if_cancelled();
    const std::vector<std::size_t> drawn =
        draw_rows(left, least, std::min(draw, most - kept.rows.size()), random);
    if (drawn.empty()) break;
    RowMajor columns = kernel_columns(x, map, drawn);
    const auto width = static_cast<Index>(drawn.size());
    std::vector<Eigen::MatrixXd> of_drawn;  // the drawn rows' part of G, transposed
    for (const RowMajor& part : parts) {
      Eigen::MatrixXd rows(part.cols(), width);
      for (Index k = 0; k < width; ++k)
        rows.col(k) = part.row(static_cast<Index>(drawn[static_cast<std::size_t>(k)])).transpose();
      of_drawn.push_back(std::move(rows));
    }
    parallel_blocks(num_blocks, [&](std::size_t block) {
      const auto first = static_cast<Index>(block * rows_per_block),
                 count = std::min(static_cast<Index>(n), first + static_cast<Index>(rows_per_block)) - first;
      for (std::size_t p = 0; p < parts.size(); ++p)
        columns.middleRows(first, count).noalias() -= parts[p].middleRows(first, count) * of_drawn[p];
    });
    Eigen::MatrixXd square(width, width);
    for (Index k = 0; k < width; ++k)
      square.row(k) = columns.row(static_cast<Index>(drawn[static_cast<std::size_t>(k)]));
    const SmallFactor small = factor_small(std::move(square), least);
    const auto rank = static_cast<Index>(small.order.size());
    if (rank == 0) {  // what was left of the drawn rows was rounding
      for (const std::size_t j : drawn) left[j] = 0;
      continue;
    }
    RowMajor part(static_cast<Index>(n), rank);
    parallel_blocks(num_blocks, [&](std::size_t block) {
      const auto first = static_cast<Index>(block * rows_per_block),
                 count = std::min(static_cast<Index>(n), first + static_cast<Index>(rows_per_block)) - first;
      Eigen::MatrixXd picked(rank, count);
      for (Index k = 0; k < rank; ++k)
        picked.row(k) =
            columns.col(small.order[static_cast<std::size_t>(k)]).segment(first, count).transpose();
      small.lower.triangularView<Eigen::Lower>().solveInPlace(picked);
      part.middleRows(first, count) = picked.transpose();
      for (Index j = 0; j < count; ++j)
        left[static_cast<std::size_t>(first + j)] -= picked.col(j).squaredNorm();
    });
    for (const std::size_t j : drawn) left[j] = 0;
    for (const Index k : small.order) kept.rows.push_back(drawn[static_cast<std::size_t>(k)]);
    parts.push_back(std::move(part));
  }
  const std::size_t r = kept.rows.size();
  kept.coordinates.resize(n * r);
  parallel_blocks(num_blocks, [&](std::size_t block) {
    for (std::size_t j = block * rows_per_block; j < std::min(n, (block + 1) * rows_per_block); ++j) {
      double* to = kept.coordinates.data() + j * r;
      for (const RowMajor& part : parts)
        to = std::copy_n(part.data() + static_cast<Index>(j) * part.cols(), part.cols(), to);
    }
  });
  kept.factor.assign(r * r, 0.0);
  for (std::size_t m = 0; m < r; ++m)
    for (std::size_t k = 0; k <= m; ++k) kept.factor[k * r + m] = kept.coordinates[kept.rows[m] * r + k];
  return kept;
}

}  // namespace lazylogit::train
