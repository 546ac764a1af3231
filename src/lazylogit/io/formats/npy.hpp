// NumPy's .npy files: a dense matrix of numbers, rows by columns, with labels from `--labels`.
#pragma once

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

FormatEntry npy_format();

}  // namespace lazylogit::io
