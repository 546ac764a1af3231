// NumPy's .npy files: a dense matrix of numbers, rows by columns, with labels from `--labels`.
#pragma once

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

int sniff_npy(std::string_view prefix);
Loaded load_npy(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel);
std::unique_ptr<RowSource> open_npy(std::vector<Input> inputs, const FixedNames& names,
                                    const ReadOptions& options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
