#include "lazylogit/bayes/low_rank.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/bayes/probe.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;
using Small = Eigen::MatrixXd;

constexpr std::size_t block_size = 4096;

// Σ over coordinates of body's r × r contributions, in blocks added in order.
template <class Body>
Small sum_small(std::size_t count, Index rank, const Body& body) {
  const std::size_t blocks = num_blocks_of(count, block_size);
  Small sum = Small::Zero(rank, rank);
  constexpr std::size_t at_once = 64;  // bounds the memory of partial sums
  for (std::size_t first = 0; first < blocks; first += at_once) {
    const std::size_t here = std::min(at_once, blocks - first);
    std::vector<Small> parts(here);
    parallel_blocks(here, [&](std::size_t k) {
      parts[k] = Small::Zero(rank, rank);
      const std::size_t begin = (first + k) * block_size;
      for (std::size_t i = begin, end = std::min(count, begin + block_size); i < end; ++i) body(i, parts[k]);
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

  math::Vector v(size, 0.0), product(size);
  for (std::size_t k = 0; k < rank; ++k) {
    cancel.throw_if_cancelled();
    for_each_sign(seed, k, count,
                  [&](std::size_t i, double sign) { v[frame.coordinates[i]] = sign * scale[i]; });
    objective.hessian_vector(v, product);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = frame.coordinates[i];
      row(i)[k] = static_cast<float>(scale[i] * (product[at] - frame.prior_curvature[i] * v[at]));
    }
  }
  Small gram = Small::Zero(r, r);
  parallel_blocks(rank, [&](std::size_t k) {
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(r);
    for_each_sign(seed, k, count, [&](std::size_t i, double sign) {
      const float* y = row(i);
      for (std::size_t l = 0; l < rank; ++l) sums(static_cast<Index>(l)) += sign * static_cast<double>(y[l]);
    });
    gram.row(static_cast<Index>(k)) = sums;
  });
  gram = (0.5 * (gram + gram.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Small> eigen(gram);
  // Directions below the noise of single precision are dropped.
  const double smallest = 1e-6 * std::max(0.0, r > 0 ? eigen.eigenvalues()(r - 1) : 0.0);
  Small to_u = Small::Zero(r, r);
  for (Index k = 0; k < r; ++k)
    if (eigen.eigenvalues()(k) > smallest)
      to_u.col(k) = eigen.eigenvectors().col(k) / std::sqrt(eigen.eigenvalues()(k));

  const auto u_of = [&](std::size_t i) -> Eigen::VectorXd {
    Eigen::Map<const Eigen::VectorXf> y(row(i), r);
    return to_u.transpose() * y.cast<double>();
  };
  // What the low-rank part leaves of the (unit) diagonal; never less than the prior's own part.
  math::Vector rest(count);
  const Small k_matrix =
      Small::Identity(r, r) + sum_small(count, r,
                                        [&](std::size_t i, Small& sum) {
                                          const Eigen::VectorXd u = u_of(i);
                                          const double least =
                                              std::max(1e-9, frame.prior_curvature[i] * scale[i] * scale[i]);
                                          rest[i] = std::max(least, 1 - u.squaredNorm());
                                          sum.selfadjointView<Eigen::Lower>().rankUpdate(u, 1 / rest[i]);
                                        })
                                  .selfadjointView<Eigen::Lower>()
                                  .
                                  operator*(Small::Identity(r, r));
  const Eigen::LLT<Small> factor(k_matrix);
  const std::size_t blocks = num_blocks_of(count, block_size);
  parallel_blocks(blocks, [&](std::size_t block) {
    for (std::size_t i = block * block_size, end = std::min(count, i + block_size); i < end; ++i) {
      Eigen::VectorXd f = u_of(i);
      factor.matrixL().solveInPlace(f);
      f *= scale[i] / rest[i];
      const double base = scale[i] * scale[i] / rest[i];
      // The diagonal of an inverse is at least the inverse of the diagonal.
      out.variance[frame.coordinates[i]] = std::max(scale[i] * scale[i], base - f.squaredNorm());
      float* place = row(i);
      for (std::size_t k = 0; k < rank; ++k) place[k] = static_cast<float>(f(static_cast<Index>(k)));
    }
  });
}

}  // namespace lazylogit::bayes
