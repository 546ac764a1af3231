#include "lazylogit/io/parse_number.hpp"

#include <fast_float/fast_float.h>

#include <cmath>
#include <limits>

#include "lazylogit/base/ascii.hpp"

namespace lazylogit::io {
namespace {

// The end of the number that the grammar allows at `p`, or p when there is none.
const char* number_end(const char* p, const char* end) noexcept {
  const char* q = p;
  if (q < end && (*q == '+' || *q == '-')) ++q;
  const char* const digits = q;
  while (q < end && is_digit(*q)) ++q;
  bool any = q > digits;
  if (q < end && *q == '.') {
    const char* const fraction = q + 1;
    const char* r = fraction;
    while (r < end && is_digit(*r)) ++r;
    any = any || r > fraction;
    if (any) q = r;
  }
  if (!any) return p;
  if (q < end && (*q == 'e' || *q == 'E')) {
    const char* r = q + 1;
    if (r < end && (*r == '+' || *r == '-')) ++r;
    const char* const exponent = r;
    while (r < end && is_digit(*r)) ++r;
    if (r > exponent) q = r;
  }
  return q;
}

}  // namespace

namespace number {

const char* scan_slowly(const char* p, const char* end, double& value, NumberStatus& status) noexcept {
  const char* const stop = number_end(p, end);
  if (stop == p) {
    status = NumberStatus::malformed;
    return p;
  }
  const char* const begin = p + (*p == '+' ? 1 : 0);  // fast_float takes no plus sign
  const auto result = fast_float::from_chars(begin, stop, value);
  status = NumberStatus::ok;
  if (result.ec == std::errc::result_out_of_range || !std::isfinite(value)) {
    // Underflow gives zero; anything else out of range is too large.
    if (std::fabs(value) < 1) {
      value = 0;
    } else {
      status = NumberStatus::overflow;
    }
  } else if (result.ec != std::errc() || result.ptr != stop) {
    status = NumberStatus::malformed;
    return p;
  }
  return stop;
}

}  // namespace number

NumberStatus parse_number(std::string_view token, double& value) noexcept {
  NumberStatus status = NumberStatus::malformed;
  const char* const end = token.data() + token.size();
  if (token.size() <= 24) {  // room for the eight-byte loads of the fast path
    char padded[48] = {};
    if (token.empty()) return status;
    std::memcpy(padded, token.data(), token.size());
    const char* const stop = scan_number(padded, padded + token.size(), value, status);
    return stop == padded + token.size() ? status : NumberStatus::malformed;
  }
  return number::scan_slowly(token.data(), end, value, status) == end ? status : NumberStatus::malformed;
}

NumberStatus parse_integer(std::string_view token, std::uint64_t max, std::uint64_t& value) noexcept {
  if (token.empty()) return NumberStatus::malformed;
  std::uint64_t total = 0;
  bool beyond = false;
  for (const char c : token) {
    if (!is_digit(c)) return NumberStatus::malformed;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (beyond || total > (max - digit) / 10 || digit > max)
      beyond = true;
    else
      total = total * 10 + digit;
  }
  if (beyond) return NumberStatus::overflow;
  value = total;
  return NumberStatus::ok;
}

}  // namespace lazylogit::io
