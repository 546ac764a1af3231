// What the rounding of scores does to an error and to its derivatives: the part of it that grows with terms that cancel.
//
// A score s = Σ_i x_i b_i is off by about u Σ_i |x_i b_i|, u = 2^-53, and the loss of its row by that times its residual:
//   2u Σ_j w_j Σ_c |r_jc| Σ_i |x_ji b_ic|,    r = p − y (a number: s − y; a choice: 1 at most),
// the intercept and the offset being terms too. Columns that are large against their spread make this the larger part of
// all rounding. Of more than 1024 rows every m-th counts m times. Cost: at most the scores of so many rows.
//
// A probability is off by p (1 − p) times what two scores are, and a derivative by
//   2u Σ_j w_j |x_ji| p_jc (1 − p_jc) max_c Σ_i |x_ji b_ic|    (a choice: ¼ at most).
// That may be all that is seen of a slope along which the classes come apart. Second derivatives of several classes are sums of
// w x² p less sums of w x² p²: where p is next to 1 the rounding of the former, (8 + √n) 2u of it, may be all that is left.
// Cost: the scores of all rows.
#pragma once

#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

double score_rounding(const Problem& problem, std::span<const double> b);

struct DerivativeRounding {    // by coordinate; of a number: 0
  math::Vector first, second;  // second: of the diagonal; another entry is off by at most the root of its two
};
DerivativeRounding derivative_rounding(const Problem& problem, std::span<const double> b);

}  // namespace lazylogit::objective
