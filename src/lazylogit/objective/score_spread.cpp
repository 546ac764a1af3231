#include "lazylogit/objective/score_spread.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/row_blocks.hpp"

namespace lazylogit::objective {

double score_spread(const Problem& problem, std::span<const double> direction) {
  constexpr std::size_t block_rows = 1024;
  const model::Shape& shape = problem.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  math::Vector d(direction.begin(), direction.end());
  if (!problem.centers.empty()) to_original(shape, problem.centers, d.data());
  // Against 0: the reference class, the label that is not given.
  const bool with_zero = shape.reference || shape.response != data::Response::classes;
  std::vector<double> largest(num_blocks_of(problem.x->num_rows(), block_rows), 0.0);
  problem.x->visit_rows([&](const auto& rows) {
    parallel_blocks(largest.size(), [&](std::size_t block) {
      const std::size_t begin = block * block_rows, end = std::min(rows.num_rows, begin + block_rows);
      math::Vector s(block_rows * stride);
      block_scores(problem, rows, begin, end, d.data(), false, s.data());
      for (std::size_t j = 0; j < end - begin; ++j) {
        const auto [low, high] = std::minmax_element(s.data() + j * stride, s.data() + j * stride + vectors);
        const double spread = with_zero ? std::max(*high, 0.0) - std::min(*low, 0.0) : *high - *low;
        largest[block] = std::max(largest[block], spread);
      }
    });
  });
  // Two candidates of a choice lie in different rows.
  const double rivals = problem.choice_ends.empty() ? 1 : 2;
  return rivals * *std::max_element(largest.begin(), largest.end());
}

}  // namespace lazylogit::objective
