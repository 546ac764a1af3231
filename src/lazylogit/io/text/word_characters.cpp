#include "lazylogit/io/text/word_characters.hpp"

#include <cstddef>
#include <cstdint>

namespace lazylogit::io {
namespace {
#include "lazylogit/io/text/word_characters.inc"
}  // namespace

bool is_word_character(char32_t code) noexcept {
  if (code > 0x10FFFF) return false;
  const std::size_t page = word_page[code >> 8];
  return ((word_bits[page * 4 + ((code >> 6) & 3)] >> (code & 63)) & 1) != 0;
}

char32_t to_lower(char32_t code) noexcept {
  if (code > 0x10FFFF) return code;
  const std::size_t page = lower_page[code >> 8];
  return static_cast<char32_t>(static_cast<std::int32_t>(code) + lower_delta[page * 256 + (code & 255)]);
}

}  // namespace lazylogit::io
