#include "lazylogit/bayes/low_rank.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/bayes/probe.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;
using Small = Eigen::MatrixXd;
// Rows of the sketch and of what becomes of it: single precision, as they are kept.
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using WideRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t block_size = 4096;  // a multiple of 64, the signs in one word of a probe
constexpr std::size_t at_once = 64;       // blocks whose partial sums are kept at a time

// Bit i of word k as the sign in row i and column k.
LAZYLOGIT_TARGET_CLONES
void spread_signs(const std::uint64_t* words, std::size_t columns, std::size_t rows, float* out) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < columns; ++k)
      out[i * columns + k] = 2 * static_cast<float>(static_cast<int>((words[k] >> i) & 1)) - 1;
}

// Runs make(block, first, last) for all blocks and adds the r × r results in order.
template <class Make>
Small sum_blocks(std::size_t count, Index rank, const Make& make) {
  const std::size_t blocks = num_blocks_of(count, block_size);
  Small sum = Small::Zero(rank, rank);
  for (std::size_t group = 0; group < blocks; group += at_once) {
    const std::size_t here = std::min(at_once, blocks - group);
    std::vector<Small> parts(here);
    parallel_blocks(here, [&](std::size_t k) {
      const std::size_t first = (group + k) * block_size;
      parts[k] = make(first, std::min(count, first + block_size));
    });
    for (const Small& part : parts) sum += part;
  }
  return sum;
}

}  // namespace

void fill_low_rank(objective::Posterior& objective, const CurvatureFrame& frame, std::size_t rank,
                   std::uint64_t seed, const CancelToken& cancel, model::PosteriorApproximation& out) {
  const std::size_t count = frame.coordinates.size(), size = objective.size();
  rank = std::min(rank, count);
  const auto r = static_cast<Index>(rank);
  out.rank = rank;
  out.factor.assign(size * rank, 0.0F);
  out.variance.assign(size, 0.0);
  math::Vector scale(count);
  for (std::size_t i = 0; i < count; ++i) scale[i] = 1 / std::sqrt(frame.diagonal[i]);
  // Row i of the sketch A Ω stands in the place of the factor it becomes.
  const auto row = [&](std::size_t i) { return out.factor.data() + frame.coordinates[i] * rank; };
  const auto load = [&](std::size_t first, std::size_t last) {
    Rows block(static_cast<Index>(last - first), r);
    for (std::size_t i = first; i < last; ++i) std::copy_n(row(i), rank, block.data() + (i - first) * rank);
    return block;
  };
  const auto store = [&](std::size_t first, const Rows& block) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.rows()); ++i)
      std::copy_n(block.data() + i * rank, rank, row(first + i));
  };

  {
    math::Vector v(size, 0.0), product(size);
    // Columns are gathered a few at a time: a row of the sketch is then touched once for all of them.
    constexpr std::size_t columns = 8;
    std::vector<float> gathered(count * std::min(columns, rank));
    for (std::size_t first = 0; first < rank; first += columns) {
      const std::size_t here = std::min(columns, rank - first);
      for (std::size_t k = 0; k < here; ++k) {
        cancel.throw_if_cancelled();
        for_each_sign(seed, first + k, count,
                      [&](std::size_t i, double sign) { v[frame.coordinates[i]] = sign * scale[i]; });
        objective.hessian_vector(v, product);
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t at = frame.coordinates[i];
          gathered[i * here + k] =
              static_cast<float>(scale[i] * (product[at] - frame.prior_curvature[i] * v[at]));
        }
      }
      for (std::size_t i = 0; i < count; ++i) std::copy_n(gathered.data() + i * here, here, row(i) + first);
    }
  }
  // Ωᵀ A Ω. The signs of a block are made again from where each probe's generator stands at its beginning.
  const std::size_t blocks = num_blocks_of(count, block_size);
  std::vector<Rows> signs(std::min(at_once, blocks));
  std::vector<SignStream> probes;
  for (std::size_t k = 0; k < rank; ++k) probes.emplace_back(seed, k);
  std::vector<std::uint64_t> words(rank);
  Small gram = Small::Zero(r, r);
  for (std::size_t group = 0; group < blocks; group += at_once) {
    const std::size_t here = std::min(at_once, blocks - group);
    for (std::size_t k = 0; k < here; ++k) {
      const std::size_t first = (group + k) * block_size, last = std::min(count, first + block_size);
      signs[k].resize(static_cast<Index>(last - first), r);
      for (std::size_t i = first; i < last; i += 64) {
        for (std::size_t probe = 0; probe < rank; ++probe) words[probe] = probes[probe].word();
        spread_signs(words.data(), rank, std::min<std::size_t>(64, last - i),
                     signs[k].data() + (i - first) * rank);
      }
    }
    std::vector<Small> parts(here);
    parallel_blocks(here, [&](std::size_t k) {
      const std::size_t first = (group + k) * block_size;
      const Rows y = load(first, std::min(count, first + block_size));
      const Eigen::MatrixXf part = signs[k].transpose() * y;
      parts[k] = part.cast<double>();
    });
    for (const Small& part : parts) gram += part;
  }
  gram = (0.5 * (gram + gram.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Small> eigen(gram);
  // Directions below the noise of single precision are dropped.
  const double smallest = 1e-6 * std::max(0.0, r > 0 ? eigen.eigenvalues()(r - 1) : 0.0);
  Small to_u = Small::Zero(r, r);
  for (Index k = 0; k < r; ++k)
    if (eigen.eigenvalues()(k) > smallest)
      to_u.col(k) = eigen.eigenvectors().col(k) / std::sqrt(eigen.eigenvalues()(k));
  const Eigen::MatrixXf to_u_single = to_u.cast<float>();

  // What U leaves of the (unit) diagonal is never less than the prior's own part.
  math::Vector rest(count);
  Small k_matrix = sum_blocks(count, r, [&](std::size_t first, std::size_t last) -> Small {
    WideRows u = (load(first, last) * to_u_single).cast<double>();
    for (std::size_t i = first; i < last; ++i) {
      auto own = u.row(static_cast<Index>(i - first));
      const double least = std::max(1e-9, frame.prior_curvature[i] * scale[i] * scale[i]);
      rest[i] = std::max(least, 1 - own.squaredNorm());
      own *= 1 / std::sqrt(rest[i]);
    }
    Small part = Small::Zero(r, r);
    part.selfadjointView<Eigen::Lower>().rankUpdate(u.transpose());
    return part;
  });
  k_matrix.triangularView<Eigen::StrictlyUpper>() = k_matrix.transpose();
  k_matrix += Small::Identity(r, r);
  const Eigen::LLT<Small> factor(k_matrix);
  // From the sketch to F in one product.
  const Small to_f = to_u * Small(factor.matrixL().solve(Small::Identity(r, r))).transpose();
  const Eigen::MatrixXf to_f_single = to_f.cast<float>();
  parallel_blocks(blocks, [&](std::size_t block) {
    const std::size_t first = block * block_size, last = std::min(count, first + block_size);
    Rows f = load(first, last) * to_f_single;
    for (std::size_t i = first; i < last; ++i) {
      auto own = f.row(static_cast<Index>(i - first));
      own *= static_cast<float>(scale[i] / rest[i]);
      const double base = scale[i] * scale[i] / rest[i];
      // The diagonal of an inverse is at least the inverse of the diagonal.
      out.variance[frame.coordinates[i]] =
          std::max(scale[i] * scale[i], base - own.cast<double>().squaredNorm());
    }
    store(first, f);
  });
}

}  // namespace lazylogit::bayes
