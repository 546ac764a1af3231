// The binary cache as a data format (io/cache/layout.hpp): written by `convert data.svm data.cache`, or by --cache.
//
// It holds the rows as training sees them, so a fit from the cache has the bytes of a fit from the text. What becomes a
// feature was decided when it was made: options about that are refused.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

FormatEntry cache_format();

// `train DATA --cache FILE`: what FILE holds if it was made from these files and options, else DATA, which is then written
// to FILE. Files are told apart by name, size and time of change; standard input is always read.
Loaded load_through_cache(const std::vector<std::string>& arguments, const std::string& cache,
                          const ReadOptions& options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
