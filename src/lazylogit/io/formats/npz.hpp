// NumPy's .npz archives: scipy.sparse.save_npz's csr, csc and coo (with a member y, if there is one), or X
// and y of numpy.savez. `--labels` wins over y; `--weight`, `--offset` and `--id` name members. Other members
// are ignored.
#pragma once

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

FormatEntry npz_format();

}  // namespace lazylogit::io
