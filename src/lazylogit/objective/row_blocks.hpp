// Passes in blocks of rows: scores of a block, then its losses and residuals by vector instructions, while the
// rows are still in cache.
//
//   residual:  r_c = w (p_c − I(c = label))                       from the scores, in place
//   product:   u_c ← w p_c (u_c − Σ_a p_a u_a)                    from the scores u of a direction, in place
//
// `stride` numbers per row, padding 0 before and after. Rows of weight 0 get zeros. The blocks of a stretch of
// rows are the same whatever the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lazylogit/objective/problem.hpp"
#include "lazylogit/objective/row_scores.hpp"

namespace lazylogit::objective {

// Rows of a block: their scores stay in the first-level cache.
inline std::size_t rows_per_block(const model::Shape& shape) {
  return std::clamp<std::size_t>(2048 / shape.stride(), 8, 128);
}

// Scores of the rows [begin, end) of `rows`; 0 for rows of weight 0, which nobody looks at. `with_offset` is false for
// directions.
template <class View>
void block_scores(const Problem& problem, const View& rows, std::size_t begin, std::size_t end,
                  const double* b, bool with_offset, double* s) noexcept {
  const std::size_t stride = problem.shape.stride();
  if (stride == 1) {
    const bool ahead = prefetching_pays(rows, problem.shape.num_features);
    for (std::size_t j = begin; j < end; ++j) {
      if (ahead && j + 1 < end) prefetch_row(rows.row(j + 1), b);
      s[j - begin] = problem.weight(j) == 0 ? 0 : row_score(problem, rows.row(j), j, b, with_offset);
    }
  } else {
    for (std::size_t j = begin; j < end; ++j)
      if (problem.weight(j) == 0)
        std::fill_n(s + (j - begin) * stride, stride, 0.0);
      else
        row_scores(problem, rows.row(j), j, b, s + (j - begin) * stride, with_offset);
  }
}

// Scores → residuals; losses[j − begin] = w_j · (−log p(label)).
void residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
               double* losses) noexcept;
// Scores → probabilities of the vectors.
void probabilities(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept;
// Residuals → probabilities, exact to a rounding of 1; of rows of weight 0: zeros.
void probabilities_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                double* r) noexcept;
// u → products, with p the probabilities of the same rows.
void curvature_products(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
                        double* u) noexcept;
// The diagonal of the curvature, from the probabilities.
void variances(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
               double* h) noexcept;
// Whether the curvature of a row has entries between vectors.
bool couples_vectors(const Problem& problem) noexcept;

}  // namespace lazylogit::objective
