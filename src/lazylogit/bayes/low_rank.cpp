#include "lazylogit/bayes/low_rank.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/bayes/curvature_block.hpp"
#include "lazylogit/bayes/probe.hpp"
#include "lazylogit/bayes/row_products.hpp"
#include "lazylogit/objective/gram_kernel.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;
using Small = Eigen::MatrixXd;

constexpr std::size_t block_size =
    256;  // rows that stay in cache; a multiple of 64, the signs in one word of a probe
constexpr std::size_t blocks_of_part = 32;  // blocks that share their sums
constexpr std::size_t part_size = blocks_of_part * block_size;
constexpr std::size_t probes_at_once = 10;  // more at a time fall out of the cache

class LowRank {
 public:
  LowRank(objective::Posterior& objective, const CurvatureFrame& frame, std::size_t rank, std::uint64_t seed,
          const CancelToken& cancel, model::PosteriorApproximation& out)
      : objective_(objective),
        frame_(frame),
        shape_(objective.problem().shape),
        count_(frame.coordinates.size()),
        rank_(std::min(rank, count_)),
        ld_(objective::gram_padded(rank_)),
        seed_(seed),
        cancel_(cancel),
        out_(out),
        scale_(count_) {
    out_.rank = rank_;
    out_.factor.assign(objective.size() * rank_, 0.0F);
    out_.variance.assign(objective.size(), 0.0);
    for (std::size_t i = 0; i < count_; ++i) scale_[i] = 1 / std::sqrt(frame.diagonal[i]);
  }

  void operator()() {
    sketch();
    const Small to_u = to_unscaled(probe_gram());
    finish(to_u, inverse_root(to_u));
  }

 private:
  // Row i of the sketch A Ω stands in the place of the factor it becomes.
  float* row(std::size_t i) const { return out_.factor.data() + std::size_t{frame_.coordinates[i]} * rank_; }

  void sketch() {
    CurvatureBlock block(objective_, std::min(rank_, probes_at_once));
    math::AlignedVector<float> v(shape_.num_rows() * block.width(), 0.0F);
    std::vector<float> scale(shape_.size(), 0.0F);
    for (std::size_t i = 0; i < count_; ++i) scale[frame_.coordinates[i]] = static_cast<float>(scale_[i]);
    const std::size_t columns = block.columns();
    for (std::size_t first = 0; first < rank_; first += columns) {
      cancel_.throw_if_cancelled();
      const std::size_t here = std::min(columns, rank_ - first);
      fill_probes(first, here, columns, block.width(), scale, v);
      block(v.data(), [&](std::size_t feature, const float* product) {
        for (std::size_t c = 0; c < shape_.num_vectors(); ++c) {
          const std::size_t at = shape_.index(feature, c);
          if (scale[at] == 0) continue;
          float* to = out_.factor.data() + at * rank_ + first;
          for (std::size_t k = 0; k < here; ++k) to[k] = scale[at] * product[c * columns + k];
        }
      });
    }
  }

  // ±scale; the columns from `here` on are not looked at.
  void fill_probes(std::size_t first, std::size_t here, std::size_t columns, std::size_t width,
                   const std::vector<float>& scale, math::AlignedVector<float>& v) const {
    const std::size_t stride = shape_.stride();
    for_parts([&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t at = frame_.coordinates[i];
        spread_signs(seed_, i, first, here, scale[at],
                     v.data() + at / stride * width + at % stride * columns);
      }
    });
  }

  // Runs body(part, first, last) for stretches of coordinates, in parallel.
  template <class Body>
  void for_parts(const Body& body) const {
    parallel_blocks(num_blocks_of(count_, part_size), [&](std::size_t part) {
      body(part, part * part_size, std::min(count_, (part + 1) * part_size));
    });
  }

  // Adds what make(first, last, sums) adds for the blocks of all parts, in order; sums are rank × rank, of which only the
  // upper triangle counts.
  template <class Make>
  Small sum_blocks(const Make& make) const {
    std::vector<std::vector<double>> sums(num_blocks_of(count_, part_size));
    for_parts([&](std::size_t part, std::size_t begin, std::size_t end) {
      sums[part].assign(rank_ * rank_, 0.0);
      for (std::size_t first = begin; first < end; first += block_size)
        make(first, std::min(end, first + block_size), sums[part].data());
    });
    const auto r = static_cast<Index>(rank_);
    Small total = Small::Zero(r, r);
    for (const auto& sum : sums)
      for (Index i = 0; i < r; ++i)
        for (Index k = i; k < r; ++k) total(i, k) += sum[static_cast<std::size_t>(i * r + k)];
    total.triangularView<Eigen::StrictlyLower>() = total.transpose();
    return total;
  }

  // Ωᵀ A Ω, with the probes made again.
  Small probe_gram() const {
    return sum_blocks([&](std::size_t first, std::size_t last, double* sums) {
      thread_local math::AlignedVector<float> signs, y;
      signs.assign(block_size * ld_, 0.0F);
      y.assign(block_size * ld_, 0.0F);
      for (std::size_t i = first; i < last; ++i) {
        spread_signs(seed_, i, 0, rank_, 1, signs.data() + (i - first) * ld_);
        std::copy_n(row(i), rank_, y.data() + (i - first) * ld_);
      }
      add_products(signs.data(), y.data(), last - first, ld_, rank_, sums);
    });
  }

  // The matrix that takes rows of the sketch to rows of U. Directions below the noise of single precision are dropped.
  Small to_unscaled(const Small& gram) const {
    const auto r = static_cast<Index>(rank_);
    const Eigen::SelfAdjointEigenSolver<Small> eigen(gram);
    const double smallest = 1e-6 * std::max(0.0, r > 0 ? eigen.eigenvalues()(r - 1) : 0.0);
    Small to_u = Small::Zero(r, r);
    for (Index k = 0; k < r; ++k)
      if (eigen.eigenvalues()(k) > smallest)
        to_u.col(k) = eigen.eigenvectors().col(k) / std::sqrt(eigen.eigenvalues()(k));
    return to_u;
  }

  // The rows [first, last) of the sketch times a matrix, ld_ apart.
  void multiply(std::size_t first, std::size_t last, const std::vector<float>& matrix,
                math::AlignedVector<float>& product) const {
    thread_local math::AlignedVector<float> y;
    y.resize(block_size * rank_);
    product.resize(block_size * ld_);
    for (std::size_t i = first; i < last; ++i) std::copy_n(row(i), rank_, y.data() + (i - first) * rank_);
    multiply_rows(y.data(), last - first, rank_, matrix.data(), ld_, product.data());
  }

  std::vector<float> padded(const Small& matrix) const {
    std::vector<float> result(rank_ * ld_, 0.0F);
    for (std::size_t i = 0; i < rank_; ++i)
      for (std::size_t k = 0; k < rank_; ++k)
        result[i * ld_ + k] = static_cast<float>(matrix(static_cast<Index>(i), static_cast<Index>(k)));
    return result;
  }

  // Fills rest_, and returns K^{−T/2}.
  Small inverse_root(const Small& to_u) {
    const std::vector<float> matrix = padded(to_u);
    rest_.resize(count_);
    Small k_matrix = sum_blocks([&](std::size_t first, std::size_t last, double* sums) {
      thread_local math::AlignedVector<float> product;
      thread_local math::Vector u;
      multiply(first, last, matrix, product);
      u.assign(block_size * ld_, 0.0);
      for (std::size_t i = first; i < last; ++i) {
        const float* from = product.data() + (i - first) * ld_;
        double norm = 0;
        for (std::size_t k = 0; k < rank_; ++k)
          norm += static_cast<double>(from[k]) * static_cast<double>(from[k]);
        // What U leaves of the (unit) diagonal is never less than the prior's own part, nor than what keeps
        // 1/rest − ‖F‖² meaningful in single precision.
        const double least =
            std::max(1e-5, objective_.prior_curvature(frame_.coordinates[i]) * scale_[i] * scale_[i]);
        rest_[i] = std::max(least, 1 - norm);
        const double factor = 1 / std::sqrt(rest_[i]);
        double* to = u.data() + (i - first) * ld_;
        for (std::size_t k = 0; k < rank_; ++k) to[k] = factor * static_cast<double>(from[k]);
      }
      objective::add_gram(u.data(), u.data(), last - first, ld_, rank_, sums);
    });
    const auto r = static_cast<Index>(rank_);
    k_matrix += Small::Identity(r, r);
    const Eigen::LLT<Small> factor(k_matrix);
    return Small(factor.matrixL().solve(Small::Identity(r, r))).transpose();
  }

  // From the sketch to F in one product.
  void finish(const Small& to_u, const Small& root) {
    const std::vector<float> matrix = padded(to_u * root);
    for_parts([&](std::size_t, std::size_t begin, std::size_t end) {
      math::AlignedVector<float> product;
      for (std::size_t first = begin; first < end; first += block_size) {
        const std::size_t last = std::min(end, first + block_size);
        multiply(first, last, matrix, product);
        for (std::size_t i = first; i < last; ++i) {
          const auto factor = static_cast<float>(scale_[i] / rest_[i]);
          const float* from = product.data() + (i - first) * ld_;
          float* to = row(i);
          double norm = 0;
          for (std::size_t k = 0; k < rank_; ++k) {
            to[k] = factor * from[k];
            norm += static_cast<double>(to[k]) * static_cast<double>(to[k]);
          }
          // The diagonal of an inverse is at least the inverse of the diagonal.
          const double own = scale_[i] * scale_[i];
          out_.variance[frame_.coordinates[i]] = std::max(own, own / rest_[i] - norm);
        }
      }
    });
  }

  objective::Posterior& objective_;
  const CurvatureFrame& frame_;
  model::Shape shape_;
  std::size_t count_, rank_, ld_;
  std::uint64_t seed_;
  CancelToken cancel_;
  model::PosteriorApproximation& out_;
  math::Vector scale_, rest_;
};

}  // namespace

void fill_low_rank(objective::Posterior& objective, const CurvatureFrame& frame, std::size_t rank,
                   std::uint64_t seed, const CancelToken& cancel, model::PosteriorApproximation& out) {
  LowRank(objective, frame, rank, seed, cancel, out)();
}

}  // namespace lazylogit::bayes
