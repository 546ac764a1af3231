#include "lazylogit/io/columns/cell.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "lazylogit/base/ascii.hpp"

namespace lazylogit::io {
namespace {

std::string_view without_sign(std::string_view text) {
  text = trim_blanks(text);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

}  // namespace

bool is_decimal_comma(std::string_view text) noexcept {
  text = without_sign(text);
  if (text.empty() || !is_digit(text.back()) || !(is_digit(text.front()) || text.front() == ','))
    return false;
  std::size_t commas = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) continue;
    if (text[i] != ',' && text[i] != '.') return false;
    if (i > 0 && !is_digit(text[i - 1])) return false;  // two marks in a row
    commas += text[i] == ',' ? 1 : 0;
  }
  return commas > 0;
}

bool is_number_elsewhere(std::string_view text) noexcept {
  text = without_sign(text);
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
    return text.find_first_not_of("0123456789abcdefABCDEF.pP+-", 2) == std::string_view::npos &&
           text.find_first_of("0123456789abcdefABCDEF", 2) == 2;
  const std::size_t whole = text.find('.');
  if (whole != std::string_view::npos &&
      text.find_first_not_of("0123456789", whole + 1) != std::string_view::npos)
    return false;
  text = text.substr(0, whole);
  if (text.empty() || !is_digit(text.front()) || !is_digit(text.back())) return false;
  std::size_t separators = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) continue;
    if ((text[i] != '_' && text[i] != '\'') || !is_digit(text[i - 1])) return false;
    ++separators;
  }
  return separators > 0;
}

bool is_not_finite(std::string_view text) noexcept {
  text = without_sign(text);
  constexpr std::array<std::string_view, 3> names = {"inf", "infinity", "nan"};
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return text.size() == name.size() &&
           std::equal(text.begin(), text.end(), name.begin(),
                      [](char a, char b) { return static_cast<char>(a | 0x20) == b; });
  });
}

}  // namespace lazylogit::io
