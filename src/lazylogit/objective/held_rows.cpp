// Likelihood: which rows a step carries too far, and what holding them adds to the curvature.
#include <algorithm>
#include <cmath>

#include "lazylogit/objective/likelihood_passes.hpp"

namespace lazylogit::objective {
namespace {

struct Found {
  std::size_t row;
  double kappa, excess;
};

}  // namespace

std::size_t Likelihood::rows_hold(const double* b, const double* trial, double promised) {
  const model::Shape& shape = problem_.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  if (!problem_.choice_ends.empty() || shape.response == data::Response::number) return 0;
  const bool coupled = couples_vectors(problem_);
  const double worth = 1e-6 * promised;
  std::vector<std::vector<Found>> found(shards_.count());
  std::vector<std::vector<double>> curvatures(shards_.count());
  problem_.x->visit_rows([&](const auto& rows) {
    parallel_blocks(shards_.count(), [&](std::size_t shard) {
      const std::size_t room = block_rows_ * stride;
      math::Vector there(room), move(room), p(room), bent(room), before(room), losses(block_rows_),
          losses_there(block_rows_), q(stride);
      for_blocks(shard, [&](std::size_t begin, std::size_t end, double* s) {
        const std::size_t count = (end - begin) * stride;
        block_scores(problem_, rows, begin, end, b, true, s);
        block_scores(problem_, rows, begin, end, trial, true, there.data());
        for (std::size_t k = 0; k < count; ++k) move[k] = bent[k] = there[k] - s[k];
        residuals(problem_, begin, end, s, losses.data());
        residuals(problem_, begin, end, there.data(), losses_there.data());
        std::copy_n(s, count, p.data());
        probabilities_of_residuals(problem_, begin, end, p.data());
        held_products(begin, end, p.data(), bent.data(), before.data(), true);
        probabilities_of_residuals(problem_, begin, end, there.data());
        for (std::size_t j = begin; j < end; ++j) {
          const std::size_t at = (j - begin) * stride;
          double foretold = losses[j - begin];
          for (std::size_t c = 0; c < vectors; ++c)
            foretold += move[at + c] * (s[at + c] + 0.5 * bent[at + c]);
          const double excess = losses_there[j - begin] - foretold, w = problem_.weight(j);
          if (!(excess > worth)) continue;
          double mean = 0, square = 0;
          for (std::size_t c = 0; c < vectors; ++c) {
            const double half = 0.5 * (p[at + c] + there[at + c]);
            q[c] = coupled ? half : half * (1 - half);
            mean += q[c] * move[at + c];
            square += q[c] * move[at + c] * move[at + c];
          }
          const double kappa = 2 * excess / (w * (coupled ? square - mean * mean : square));
          if (!(kappa > 0 && std::isfinite(kappa))) continue;
          found[shard].push_back({j, kappa, excess});
          for (std::size_t c = 0; c < stride; ++c) curvatures[shard].push_back(kappa * q[c]);
        }
      });
    });
  });
  // Far out losses grow in proportion to the step, not to its square: a parabola through where it led says too little about
  // the steps on the way, the less the farther that was.
  double total = 0;
  for (const auto& of_shard : found)
    for (const Found& one : of_shard) total += one.excess;
  const double factor = std::max(1.0, std::sqrt(0.01 * total / promised));
  std::size_t held = 0;
  for (std::size_t shard = 0; shard < found.size(); ++shard) {
    for (double& c : curvatures[shard]) c *= factor;
    for (std::size_t k = 0; k < found[shard].size(); ++k, ++held)
      holds_.add(found[shard][k].row, problem_.x->num_rows(), factor * found[shard][k].kappa,
                 {curvatures[shard].data() + k * stride, stride});
  }
  return held;
}

void Likelihood::held_variances(std::size_t begin, std::size_t end, const double* p, double* h) const {
  const std::size_t stride = problem_.shape.stride(), vectors = problem_.shape.num_vectors();
  variances(problem_, begin, end, p, h);
  if (!holding()) return;
  const bool coupled = couples_vectors(problem_);
  for (std::size_t j = begin; j < end; ++j, h += stride)
    if (const double* r = holds_.of(j))
      for (std::size_t c = 0; c < vectors; ++c)
        h[c] += problem_.weight(j) * (coupled ? r[c] * (1 - r[c] / holds_.total(j)) : r[c]);
}

void Likelihood::held_products(std::size_t begin, std::size_t end, const double* p, double* u, double* before,
                               bool holding) const {
  const std::size_t stride = problem_.shape.stride();
  holding = holding && !holds_.empty();
  if (holding) std::copy_n(u, (end - begin) * stride, before);
  curvature_products(problem_, begin, end, p, u);
  if (!holding) return;
  const bool coupled = couples_vectors(problem_);
  for (std::size_t j = begin; j < end; ++j, u += stride, before += stride) {
    const double* r = holds_.of(j);
    if (r == nullptr) continue;
    double mean = 0;
    for (std::size_t c = 0; coupled && c < stride; ++c) mean += r[c] * before[c];
    if (coupled) mean /= holds_.total(j);
    for (std::size_t c = 0; c < stride; ++c) u[c] += problem_.weight(j) * r[c] * (before[c] - mean);
  }
}

}  // namespace lazylogit::objective
