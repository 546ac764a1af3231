// The common drive train of .npy and .npz: rows of an array -> row blocks -> builder.
//
// Column j (from 0) is the feature called j + index base, as in libsvm. Labels come from the archive or from
// `--labels`, whose lines run through all inputs in order; there must be as many as rows.
#pragma once

#include <functional>

#include "lazylogit/io/formats/array_rows.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

using OpenArray = std::function<ArrayInput(Input&, const ReadOptions&)>;

Loaded load_arrays(std::vector<Input>& inputs, Format format, const OpenArray& open,
                   const ReadOptions& options, Log& log, const CancelToken& cancel);

// Takes the inputs over. `names` and `options` must outlive the source.
std::unique_ptr<RowSource> stream_arrays(std::vector<Input> inputs, Format format, OpenArray open,
                                         const FixedNames& names, const ReadOptions& options, Log& log,
                                         const CancelToken& cancel);

}  // namespace lazylogit::io
