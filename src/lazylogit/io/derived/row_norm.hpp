// --normalize: each row divided by its norm; a row of zeros stays as it is.
#pragma once

#include "lazylogit/data/derived_spec.hpp"
#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::io {

// |x|_1 = Σ|x|, |x|_2 = √Σx² (without overflow), |x|_max. x gets stored values (double if `store_double`) if it had none.
void apply_row_norm(data::SparseMatrix& x, data::RowNorm norm, bool store_double);

}  // namespace lazylogit::io
