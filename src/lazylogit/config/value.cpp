#include "lazylogit/config/value.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace lazylogit::config {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::array<std::pair<char, int>, 4> byte_suffixes{{{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}}};

}  // namespace

std::string describe(const Bounds& bounds, std::string_view noun) {
  const bool low = std::isfinite(bounds.min), high = std::isfinite(bounds.max);
  if (low && high && !bounds.open_min && !bounds.open_max)
    return fmt::format("{} from {} to {}", noun, bounds.min, bounds.max);
  std::string text(noun);
  if (low) text += fmt::format(" {} {}", bounds.open_min ? "above" : "of at least", bounds.min);
  if (low && high) text += " and";
  if (high) text += fmt::format(" {} {}", bounds.open_max ? "below" : "at most", bounds.max);
  return text;
}

std::optional<double> parse_real(std::string_view text) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool names_infinity(std::string_view text) {
  const auto value = parse_number<double>(text);
  return value && std::isinf(*value);
}

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse_number<std::int64_t>(text); }
std::optional<std::uint64_t> parse_count(std::string_view text) { return parse_number<std::uint64_t>(text); }

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  int shift = 0;
  for (const std::string_view unit : {"iB", "B"}) {
    if (text.size() > unit.size() + 1 && text.ends_with(unit)) {
      text.remove_suffix(unit.size());
      break;
    }
  }
  if (text.empty()) return std::nullopt;
  for (const auto& [letter, bits] : byte_suffixes)
    if (text.back() == letter || text.back() == letter + ('a' - 'A')) shift = bits;
  if (shift == 0) return parse_count(text);
  const auto number = parse_real(text.substr(0, text.size() - 1));
  if (!number || *number < 0) return std::nullopt;
  const double bytes = std::ldexp(*number, shift);
  if (bytes >= std::ldexp(1.0, 63)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::optional<bool> parse_bool(std::string_view text) {
  for (const std::string_view yes : {"true", "yes", "on", "1"})
    if (text == yes) return true;
  for (const std::string_view no : {"false", "no", "off", "0"})
    if (text == no) return false;
  return std::nullopt;
}

std::string format_real(double value) { return fmt::format("{}", value); }

std::string format_bytes(std::uint64_t bytes) {
  for (auto suffix = byte_suffixes.rbegin(); suffix != byte_suffixes.rend(); ++suffix) {
    const std::uint64_t unit = std::uint64_t{1} << suffix->second;
    if (bytes >= unit && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, suffix->first);
  }
  return fmt::format("{}", bytes);
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
    if (escaped)
      items.back() += text[++i];
    else if (text[i] == ',')
      items.emplace_back();
    else
      items.back() += text[i];
  }
  return items;
}

std::string format_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += ',';
    for (const char c : item) {
      if (c == ',' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

}  // namespace lazylogit::config
