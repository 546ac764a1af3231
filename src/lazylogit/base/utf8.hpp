// UTF-8 well-formedness (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace lazylogit {

// Length (1..4) of the well-formed sequence that starts `text`, or 0 when it is malformed or cut off.
std::size_t utf8_sequence_length(std::string_view text) noexcept;

// Offset of the first malformed byte, or text.size() when all of it is well formed.
std::size_t utf8_valid_prefix(std::string_view text) noexcept;

}  // namespace lazylogit
