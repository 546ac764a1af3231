// NumPy's .npz archives: scipy.sparse.save_npz's csr, csc and coo (with a member y, if there is one), or X
// and y of numpy.savez. `--labels` wins over y; `--weight`, `--offset` and `--id` name members. Other members
// are ignored.
#pragma once

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

int sniff_npz(std::string_view prefix);
Loaded load_npz(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel);
std::unique_ptr<RowSource> open_npz(std::vector<Input> inputs, const FixedNames& names,
                                    const ReadOptions& options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
