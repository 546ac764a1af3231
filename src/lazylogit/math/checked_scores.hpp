// Scores of sparse rows whose ids nobody has looked at: the bits of score_rows(), and whether every id is below
// `num_features`. Where one is not, the scores mean nothing; no memory beyond the table is read for it.
//
// One vector on processors with AVX2: ids are compared eight at a time on the way to their coefficients, in one pass.
// Elsewhere a pass over the ids goes first.
#pragma once

#include <cstddef>

#include "lazylogit/math/sparse_scores.hpp"

namespace lazylogit::math {

[[nodiscard]] bool score_checked_rows(const RowRange& rows, const float* values, const ScoreTable& table,
                                      std::size_t num_features, double* scores);
[[nodiscard]] bool score_checked_rows(const RowRange& rows, const double* values, const ScoreTable& table,
                                      std::size_t num_features, double* scores);

// Which way rows of one vector go. `automatic` is for everyone but tests.
enum class CheckedWay { automatic, two_passes };
void set_checked_way(CheckedWay way) noexcept;

}  // namespace lazylogit::math
