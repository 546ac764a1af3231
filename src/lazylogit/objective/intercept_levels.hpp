// The intercepts of a model without features: what the frequencies of classes, or the mean of the numbers, say alone.
//
//   classes   ln n_c − ln n_reference, without a reference less the mean over classes (n_c: weight of the rows of class c)
//   labels    ln n_c − ln(n − n_c)
//   a number  the mean
//
// Offsets and priors are left aside. One look at every label, none at features.
#pragma once

#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

// One for each vector of coefficients, not finite where there is none; empty where the shape has no intercept.
std::vector<double> intercept_levels(const Problem& problem);

}  // namespace lazylogit::objective
