// --max-field-bytes for lines of tokens (libsvm, vw).
#pragma once

#include <string_view>

#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

// LimitError at the first run without blanks that is longer than the limit. Looks at lines alone that are long
// enough to hold one, so that ordinary data pays nothing.
void check_token_lengths(const TextBlock& block, std::string_view line, const Limits& limits);

}  // namespace lazylogit::io
