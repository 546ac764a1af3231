// How improbable the labels of held-out rows were: what turns probabilities into sets of classes that cover the truth as
// often as asked ("split conformal prediction").
//
// The score of a row is −ln p(its label). For a level a in (0, 1), with W the total weight of the held-out rows,
//   t(a) = the smallest score such that rows of weight ≥ a (W + 1) score no more; ∞ when a (W + 1) > W
//   set(x) = {c : −ln p(c | x) ≤ t(a)} and, so that no set is empty, the most probable class
// A new row that is exchangeable with the held-out ones has its label in the set with probability at least a, whatever
// the model is worth; a poor model pays with large sets. A weight counts as that many rows of the same kind. Rows whose
// label the model does not know score ∞: no set covers them.
#pragma once

#include <span>
#include <vector>

#include "lazylogit/base/types.hpp"

namespace lazylogit::data {
struct Rows;
}

namespace lazylogit::model {

struct Predictions;

struct HeldOutScores {
  std::vector<double> scores;   // ascending, none negative, ∞ allowed
  std::vector<double> weights;  // of the same rows, all positive; empty: all 1

  double total() const noexcept;
  double threshold(double level) const noexcept;
};

// The scores of `rows`, whose predictions are given (in order); rows of weight 0 are left out.
HeldOutScores held_out_scores(const data::Rows& rows, const Predictions& predictions);

// Appends to `out` the classes of the set of a row, the most probable first. `probabilities` has one entry per class.
void conformal_set(std::span<const double> probabilities, double threshold, std::vector<ClassId>& out);

}  // namespace lazylogit::model
