#include "lazylogit/io/text/tokenizer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "lazylogit/base/utf8.hpp"
#include "lazylogit/io/text/word_characters.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint8_t wide = 1;  // a byte of a character beyond ASCII

// Per byte: 0 ends a word, 1 needs decoding, anything else is the byte to write.
constexpr std::array<std::uint8_t, 256> ascii_table(bool lowercase) {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (c >= 0x80)
      table[c] = wide;
    else if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
      table[c] = static_cast<std::uint8_t>(upper && lowercase ? c + 32 : c);
  }
  return table;
}
constexpr std::array<std::array<std::uint8_t, 256>, 2> tables = {ascii_table(false), ascii_table(true)};

// The character that starts `text`, which is valid and not ASCII; `length` is its number of bytes.
char32_t decode(std::string_view text, std::size_t length) {
  const auto bits = [&](std::size_t i, unsigned mask) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]) & mask);
  };
  if (length == 2) return bits(0, 0x1F) << 6 | bits(1, 0x3F);
  if (length == 3) return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
  return bits(0, 0x07) << 18 | bits(1, 0x3F) << 12 | bits(2, 0x3F) << 6 | bits(3, 0x3F);
}

}  // namespace

std::size_t Tokenizer::longest_ngram() const noexcept {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < num_tokens(); ++i) {
    const std::size_t order = std::min(static_cast<std::size_t>(ngrams_), num_tokens() - i);
    longest = std::max(longest, ngram(i, order).size());
  }
  return longest;
}

void Tokenizer::split(std::string_view document) {
  begins_.clear();
  ends_.clear();
  // A character of two bytes or more becomes one of at most four, and a blank replaces what stood between two words.
  joined_.resize(2 * document.size() + 4);
  char* const begin = joined_.data();
  char* to = begin;
  const auto& table = tables[lowercase_ ? 1 : 0];
  bool inside = false;
  const auto begin_word = [&] {
    if (inside) return;
    if (to != begin) *to++ = ' ';
    begins_.push_back(static_cast<std::size_t>(to - begin));
    inside = true;
  };
  const auto end_word = [&] {
    if (inside) ends_.push_back(static_cast<std::size_t>(to - begin));
    inside = false;
  };
  for (std::size_t i = 0; i < document.size();) {
    std::uint8_t kind = table[static_cast<unsigned char>(document[i])];
    if (kind == 0) {
      end_word();
      ++i;
    } else if (kind != wide) {
      begin_word();
      do {
        *to++ = static_cast<char>(kind);
        kind = ++i < document.size() ? table[static_cast<unsigned char>(document[i])] : std::uint8_t{0};
      } while (kind > wide);
    } else {
      const std::size_t length = utf8_sequence_length(document.substr(i, 4));
      const char32_t code = length < 2 ? U'\uFFFD' : decode(document.substr(i), length);
      if (is_word_character(code)) {
        begin_word();
        char bytes[4];
        to = std::copy_n(bytes, encode_utf8(lowercase_ ? to_lower(code) : code, bytes), to);
      } else {
        end_word();
      }
      i += length == 0 ? 1 : length;
    }
  }
  end_word();
  joined_.resize(static_cast<std::size_t>(to - begin));
}

}  // namespace lazylogit::io
