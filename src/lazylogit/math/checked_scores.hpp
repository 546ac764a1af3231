// Scores of sparse rows whose ids nobody has looked at: the bits of score_rows(), and whether every id is below
// `num_features`. Where one is not, the scores mean nothing; no memory beyond the table is read for it.
//
// One vector on processors with AVX-512 whose gathers are quick: eight ids are compared and gathered at a time, in one pass.
// Elsewhere a pass over the ids goes first. Gathers are slow where the processor has to be kept from leaking what they read
// (gather data sampling), which the system tells.
#pragma once

#include <cstddef>

#include "lazylogit/math/sparse_scores.hpp"

namespace lazylogit::math {

[[nodiscard]] bool score_checked_rows(const RowRange& rows, const float* values, const ScoreTable& table,
                                      std::size_t num_features, double* scores);
[[nodiscard]] bool score_checked_rows(const RowRange& rows, const double* values, const ScoreTable& table,
                                      std::size_t num_features, double* scores);

// Which way rows of one vector go. `automatic` is for everyone but tests; `gathers` means nothing where there are none.
enum class CheckedWay { automatic, two_passes, gathers };
void set_checked_way(CheckedWay way) noexcept;

}  // namespace lazylogit::math
