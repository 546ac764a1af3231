// Features that are combinations of others, up to a constant: the error does not tell their coefficients apart.
//
// A Cholesky factorization of the correlations, with pivots: a feature whose remainder is below 1e-9 of its variance
// depends on the pivots before it, with the coefficients that solve the triangle. Features that come later are named in
// terms of those that vary more. Cost: Σ over rows of (entries)² and d³/3; beyond `most_features` or `most_work` nothing
// is looked for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::train {

struct Dependency {
  std::size_t feature;
  std::vector<std::size_t> others;  // what it is a combination of, the largest parts first
};

std::vector<Dependency> collinear_features(const data::SparseMatrix& x, std::span<const double> weights);

// `"c" is a combination of "a" and "b"`; one sentence for up to three dependencies. Empty: none.
std::string collinear_sentence(const data::Dataset& data, std::span<const double> weights);

}  // namespace lazylogit::train
