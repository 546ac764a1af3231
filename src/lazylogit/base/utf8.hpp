// UTF-8 well-formedness (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace lazylogit {

// Length (1..4) of the well-formed sequence that starts `text`, or 0 when it is malformed or cut off.
std::size_t utf8_sequence_length(std::string_view text) noexcept;

// Offset of the first malformed byte, or text.size() when all of it is well formed.
std::size_t utf8_valid_prefix(std::string_view text) noexcept;

// Writes the sequence of a code point up to U+10FFFF and returns its length.
std::size_t encode_utf8(char32_t code, char (&out)[4]) noexcept;

}  // namespace lazylogit
