// Names from data as a terminal may show them: control bytes, marks that break lines or turn the direction of what
// follows (U+2028, U+202E), and invalid UTF-8 as \xNN, any length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lazylogit {

// The first character of a text that is not empty.
struct FirstCharacter {
  std::size_t size = 1;      // in bytes; of invalid UTF-8 one
  bool is_printable = true;  // else it is shown as \xNN
};
FirstCharacter first_character(std::string_view text);
// Appends it as it may be shown.
void append_printable(std::string_view character, bool is_printable, std::string& out);

std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);  // line ends stay

}  // namespace lazylogit
