// Examples by columns: the transpose of compressed sparse rows.
//
// Row i of the result is feature i; its ids are the examples that have the feature, ascending, and its values
// are of the same form as those of `x`. Costs one counting pass and one scattering pass over the entries, in
// parallel over stretches of rows, and as much memory as `x`, or a temporary file where `x` lies in one. Throws ConfigError beyond 2³² rows, which ids
// cannot number.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

SparseMatrix transposed(const SparseMatrix& x);
// The same of the features alone that `wanted` marks, one entry for each; the other rows of the result are empty, unless
// the columns are there already (RowSource::columns), which then are the result as they are.
SparseMatrix transposed(const SparseMatrix& x, std::span<const std::uint8_t> wanted);

}  // namespace lazylogit::data
