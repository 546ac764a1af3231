// What the rounding of scores does to an error: the part of it that grows with terms that cancel.
//
// A score s = Σ_i x_i b_i is off by about u Σ_i |x_i b_i|, u = 2^-53, and the loss of its row by that times its residual:
//   2u Σ_j w_j Σ_c |r_jc| Σ_i |x_ji b_ic|,    r = p − y (a number: s − y; a choice: 1 at most),
// the intercept and the offset being terms too. Columns that are large against their spread make this the larger part of
// all rounding. Of more than 1024 rows every m-th counts m times. Cost: at most the scores of so many rows.
#pragma once

#include <span>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

double score_rounding(const Problem& problem, std::span<const double> b);

}  // namespace lazylogit::objective
