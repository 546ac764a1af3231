// The inner loops of softmax.hpp in vector form, one set per instruction set, chosen when first used.
//
// exp is that of elementary.hpp, operation by operation, and sums are taken in eight interleaved parts that are added in
// a fixed order: the same bits on every machine, whatever the length of its vectors. `least` is 0 where there is a
// reference class of that score, else −∞; no score may be above a `top` that is given. NaN is never the largest.
#pragma once

#include <cstddef>

namespace lazylogit::math {

// The largest of `count` scores, at least `least`.
double top_score(const double* scores, std::size_t count, double least) noexcept;

struct ExpSum {
  double below = 0;  // Σ exp(score − top) over the scores that are not the top
  double ties = 0;   // how many are
};
// Replaces scores by exp(score − top).
ExpSum apply_exp(double* scores, std::size_t count, double top) noexcept;

struct TopAndRest {
  double top;
  double
      rest;  // Σ exp(score − top) without the top's own 1, which log1p must not see; NaN for a top that is not finite
};
// The reference, where there is one, joins the sum.
TopAndRest with_rest(ExpSum sum, double top, double least) noexcept;

// Replaces scores by factor · (probability − [position = label]), and what lies beyond them, up to a multiple of eight, by
// 0: there must be room for it. `label` may be beyond `count`.
TopAndRest apply_residuals(double* scores, std::size_t count, double least, std::size_t label,
                           double factor) noexcept;

// values *= factor
void multiply(double* values, std::size_t count, double factor) noexcept;

}  // namespace lazylogit::math
