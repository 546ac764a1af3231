#include "lazylogit/data/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lazylogit/base/ascii.hpp"

namespace lazylogit::data {
namespace {

constexpr std::int64_t largest_exponent =
    1'000'000'000'000;  // beyond it only the sign of the exponent counts

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) number.negative = text[i++] == '-';
  bool any = false;
  for (; i < text.size() && is_digit(text[i]); ++i, any = true) {
    if (number.digits.empty() && text[i] == '0') continue;
    number.digits += text[i];
    ++number.point;
  }
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && is_digit(text[i]); ++i, any = true) {
      if (number.digits.empty() && text[i] == '0') {
        --number.point;
        continue;
      }
      number.digits += text[i];
    }
  }
  if (!any) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    const bool down = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (i == text.size()) return std::nullopt;
    std::int64_t exponent = 0;
    for (; i < text.size() && is_digit(text[i]); ++i)
      exponent = std::min(largest_exponent, exponent * 10 + (text[i] - '0'));
    number.point += down ? -exponent : exponent;
  }
  if (i != text.size()) return std::nullopt;
  while (!number.digits.empty() && number.digits.back() == '0') number.digits.pop_back();
  if (number.digits.empty()) number = Decimal{};
  return number;
}

bool Decimal::fits_double() const {
  if (digits.empty() || point < 308) return true;
  if (point > 310) return false;
  const std::string text = "0." + digits + "e" + std::to_string(point);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && std::isfinite(value);
}

std::string Decimal::text() const {
  if (digits.empty()) return "0";
  const auto size = static_cast<std::int64_t>(digits.size());
  std::string out = negative ? "-" : "";
  // Integers beyond every double are written in full: with an exponent they would read as overflow.
  if (point >= size && (point - size <= 20 || !fits_double()))
    return out + digits + std::string(static_cast<std::size_t>(point - size), '0');
  if (point > 0 && point < size)
    return out + digits.substr(0, static_cast<std::size_t>(point)) + "." +
           digits.substr(static_cast<std::size_t>(point));
  if (point <= 0 && point >= -6)
    return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  out += digits[0];
  if (size > 1) out += "." + digits.substr(1);
  return out + "e" + (point > 0 ? "+" : "") + std::to_string(point - 1);
}

bool operator<(const Decimal& a, const Decimal& b) noexcept {
  const auto sign = [](const Decimal& n) { return n.digits.empty() ? 0 : n.negative ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) < sign(b);
  if (sign(a) == 0) return false;
  const Decimal& small = a.negative ? b : a;
  const Decimal& large = a.negative ? a : b;
  if (small.point != large.point) return small.point < large.point;
  return small.digits < large.digits;
}

}  // namespace lazylogit::data
