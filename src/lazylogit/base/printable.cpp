#include "lazylogit/base/printable.hpp"

#include <fmt/format.h>

#include "lazylogit/base/utf8.hpp"

namespace lazylogit {

namespace {

// Of the code points that three bytes write: 200E, 200F, 2028 to 202E, 2066 to 2069.
bool is_mark(std::string_view character) noexcept {
  const auto second = static_cast<unsigned char>(character[1]),
             third = static_cast<unsigned char>(character[2]);
  if (static_cast<unsigned char>(character[0]) != 0xE2) return false;
  if (second == 0x80) return third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE);
  return second == 0x81 && third >= 0xA6 && third <= 0xA9;
}

}  // namespace

FirstCharacter first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x80) return {1, byte >= 0x20 && byte != 0x7F};
  const std::size_t length = utf8_sequence_length(text);
  if (length == 0) return {1, false};
  const bool c1_control = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
  return {length, !c1_control && !(length == 3 && is_mark(text))};
}

void append_printable(std::string_view character, bool is_printable, std::string& out) {
  if (is_printable) {
    out += character;
    return;
  }
  for (const char c : character) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const FirstCharacter first = first_character(text);
    append_printable(text.substr(0, first.size), first.is_printable, out);
    text.remove_prefix(first.size);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace lazylogit
