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

std::string_view unit_of_number(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 5> units = {"%", "$", "€", "£", "¥"};
  text = without_sign(text);
  for (const std::string_view unit : units) {
    std::string_view number = text;
    if (text.starts_with(unit))
      number.remove_prefix(unit.size());
    else if (text.ends_with(unit))
      number.remove_suffix(unit.size());
    else
      continue;
    double value = 0;
    const bool is_number = parse_cell_number(number, value) == NumberStatus::ok || is_decimal_comma(number) ||
                           is_number_elsewhere(number);
    return is_number ? unit : std::string_view();
  }
  return {};
}

bool is_date(std::string_view text) noexcept {
  text = trim_blanks(text);
  const std::size_t day_end = std::min(text.find_first_of(" T"), text.size());
  const std::string_view day = text.substr(0, day_end);
  if (day_end < text.size() &&
      text.find_first_not_of("0123456789:.+-ZAPM ", day_end + 1) != std::string_view::npos)
    return false;
  const std::size_t first = day.find_first_of("-./");
  if (first == std::string_view::npos) return false;
  const std::size_t second = day.find(day[first], first + 1);
  if (second == std::string_view::npos) return false;
  const std::array<std::string_view, 3> parts = {
      day.substr(0, first), day.substr(first + 1, second - first - 1), day.substr(second + 1)};
  for (const std::string_view part : parts)
    if (part.empty() || part.size() > 4 || part.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
  const bool year_first = parts[0].size() == 4;
  const std::string_view year = year_first ? parts[0] : parts[2], other = year_first ? parts[2] : parts[0];
  // 10.1.15 is a version sooner than a day, and 10-1-15 a code.
  if (year.size() != 4 && (year.size() != 2 || day[first] != '/')) return false;
  const auto day_or_month = [](std::string_view part) {
    if (part.size() > 2) return 0;
    return part.size() == 1 ? part[0] - '0' : 10 * (part[0] - '0') + (part[1] - '0');
  };
  const int one = day_or_month(parts[1]), two = day_or_month(other);
  return one >= 1 && two >= 1 && std::max(one, two) <= 31 && std::min(one, two) <= 12;
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
