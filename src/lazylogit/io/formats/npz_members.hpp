// What an .npz archive holds for us: a sparse matrix in scipy's form, or a dense one called X; labels called
// y.
#pragma once

#include "lazylogit/io/formats/array_rows.hpp"

namespace lazylogit::io {

// Opens the matrix and its columns. `--weight`, `--offset` and `--id` name members of the archive.
ArrayInput open_npz_input(Input& input, const ReadOptions& options);

}  // namespace lazylogit::io
