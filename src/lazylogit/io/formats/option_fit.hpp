// Which formats an option of reading is for. One that the format does not use would be ignored, and the data
// would then mean something else than was asked: it is refused instead.
#pragma once

#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

// Whether every option that was given has a meaning for the format.
bool options_fit(const ReadOptions& options, Format format);

// ConfigError for the first option that has none.
void check_options_fit(const ReadOptions& options, Format format);

}  // namespace lazylogit::io
