#include "lazylogit/base/printable.hpp"

#include <fmt/format.h>

#include "lazylogit/base/utf8.hpp"

namespace lazylogit {

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_sequence_length(text);
    const bool c1_control = length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    const bool control = byte < 0x20 || byte == 0x7F || c1_control || length == 0;
    const std::size_t step = length == 0 ? 1 : length;
    for (std::size_t i = 0; i < step; ++i) {
      if (control)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      else
        out += text[i];
    }
    text.remove_prefix(step);
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
