// Where the tokens of a line end: its blanks, colons and bars, found 64 bytes at a time. Parsers that know the ends of tokens before they
// read them work on several at once: where a token begins does not wait for what is in the one before.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lazylogit::io {

class TokenMarks {
 public:
  // The line is followed by 64 readable bytes. A blank is any byte up to 0x20.
  explicit TokenMarks(std::string_view line) noexcept
      : base_(line.data()), end_(line.data() + line.size()), bits_(find(base_)) {}

  // The next blank, colon or bar; the end of the line when there is none.
  const char* next() noexcept {
    while (bits_ == 0) {
      if (end_ - base_ <= 64) return end_;
      base_ += 64;
      bits_ = find(base_);
    }
    const char* const mark = base_ + std::countr_zero(bits_);
    bits_ &= bits_ - 1;
    return std::min(mark, end_);
  }

 private:
  static std::uint64_t find(const char* p) noexcept {
#if defined(__SSE2__)
    std::uint64_t bits = 0;
    for (int k = 0; k < 4; ++k) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p) + k);
      const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes);
      const __m128i colon = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(':'));
      const __m128i bar = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('|'));
      const int marks = _mm_movemask_epi8(_mm_or_si128(blank, _mm_or_si128(colon, bar)));
      bits |= static_cast<std::uint64_t>(static_cast<unsigned>(marks)) << (16 * k);
    }
    return bits;
#else
    std::uint64_t bits = 0;
    for (int k = 0; k < 64; ++k) {
      const auto c = static_cast<unsigned char>(p[k]);
      bits |= std::uint64_t{c <= 0x20 || c == ':' || c == '|'} << k;
    }
    return bits;
#endif
  }

  const char* base_;
  const char* end_;
  std::uint64_t bits_;
};

}  // namespace lazylogit::io
