// The features of a VW line in one walk without messages: what nearly every line takes. vw_line.hpp reads the same
// grammar slowly and says what is wrong.
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lazylogit/io/parse_number.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lazylogit::io {

namespace vw {

// The first blank, colon or bar from `p` on, or `end`. Reads up to 16 bytes beyond it.
inline const char* name_end(const char* p, const char* end) noexcept {
#if defined(__SSE2__)
  for (; p < end; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes);
    const __m128i colon = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(':'));
    const __m128i bar = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('|'));
    const int ends = _mm_movemask_epi8(_mm_or_si128(blank, _mm_or_si128(colon, bar)));
    if (ends != 0) return std::min(p + std::countr_zero(static_cast<unsigned>(ends)), end);
  }
  return end;
#else
  while (p<end&& static_cast<unsigned char>(*p)> 0x20 && *p != ':' && *p != '|') ++p;
  return p;
#endif
}

}  // namespace vw

// Reads what stands from the first bar on and writes ids and values of at most `line.size()/2` features, without zeros.
// `resolve(name)` gives a feature's id; a name with its namespace has at most `longest_name` bytes. Returns how many, or −1
// when something is odd: then nothing counts. The line holds no control characters but tabs and is followed by 16 readable bytes.
template <class T, class Resolve>
std::ptrdiff_t read_vw_features(std::string_view line, std::size_t longest_name, const Resolve& resolve,
                                std::uint32_t* ids, T* values) {
  constexpr std::size_t longest = 1024;
  const std::size_t limit = std::min(longest, longest_name);
  constexpr double largest = sizeof(T) == sizeof(float) ? static_cast<double>(FLT_MAX) : DBL_MAX;
  char name[longest + 16];
  std::size_t prefix = 0;
  double scale = 1;
  std::ptrdiff_t count = 0;
  const char* p = line.data();
  const char* const end = p + line.size();
  const auto read_factor = [&](const char* colon, double& value) -> const char* {
    NumberStatus status = NumberStatus::malformed;
    const char* const to = scan_number(colon + 1, end, value, status);
    return status == NumberStatus::ok && (to == end || *to == ' ' || *to == '\t' || *to == '|') ? to
                                                                                                : nullptr;
  };
  for (;;) {
    while (p < end && (*p == ' ' || *p == '\t')) ++p;
    if (p >= end) return count;
    if (*p == '|') {
      const char* const stop = vw::name_end(++p, end);
      prefix = static_cast<std::size_t>(stop - p);
      if (prefix >= limit) return -1;
      std::memcpy(name, p, prefix);
      if (prefix > 0) name[prefix++] = '^';
      scale = 1;
      p = stop;
      if (p < end && *p == ':') {
        if (prefix == 0) return -1;
        p = read_factor(p, scale);
        if (p == nullptr) return -1;
      }
      continue;
    }
    const char* const stop = vw::name_end(p, end);
    const auto size = static_cast<std::size_t>(stop - p);
    double value = 1;
    const char* next = stop;
    if (stop < end && *stop == ':') next = read_factor(stop, value);
    value *= scale;
    if (size == 0 || next == nullptr || prefix + size > limit || !(std::fabs(value) <= largest)) return -1;
    std::string_view whole(p, size);
    if (prefix > 0) {
      std::memcpy(name + prefix, p, size);
      whole = {name, prefix + size};
    }
    p = next;
    if (value == 0) continue;
    ids[count] = resolve(whole);
    values[count] = static_cast<T>(value);
    ++count;
  }
}

}  // namespace lazylogit::io
