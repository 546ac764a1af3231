#include "lazylogit/io/formats/field_index.hpp"

#include <algorithm>
#include <bit>

#include "lazylogit/math/target_clones.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lazylogit::io {
namespace {

constexpr std::size_t shortest_stretch = std::size_t{1} << 14, longest_stretch = std::size_t{1} << 22;
constexpr std::size_t group = 64;

// A bit for each of 64 bytes that is one of the three.
std::uint64_t marks_of(const char* text, char a, char b, char c) noexcept {
#if defined(__SSE2__)
  const __m128i va = _mm_set1_epi8(a), vb = _mm_set1_epi8(b), vc = _mm_set1_epi8(c);
  std::uint64_t bits = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
    const __m128i hits = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, va), _mm_cmpeq_epi8(bytes, vb)),
                                      _mm_cmpeq_epi8(bytes, vc));
    bits |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(hits))} << (16 * i);
  }
  return bits;
#else
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < group; ++i)
    bits |= std::uint64_t{text[i] == a || text[i] == b || text[i] == c} << i;
  return bits;
#endif
}

// Writes where the marks of [from, end) are, counted from `from`, with room for a group more; returns the end.
LAZYLOGIT_TARGET_CLONES std::uint32_t* write_marks(const char* from, const char* end, char a, char b,
                                                   std::uint32_t* to) {
  for (const char* p = from; p < end; p += group) {
    std::uint64_t bits = marks_of(p, a, '\n', b);
    if (end - p < static_cast<std::ptrdiff_t>(group)) bits &= (std::uint64_t{1} << (end - p)) - 1;
    const auto offset = static_cast<std::uint32_t>(p - from);
    const int count = std::popcount(bits);
    // Eight at a time, some of them in vain: a loop that ends after each bit would be guessed wrong each time.
    for (int written = 0; written < count; written += 8)
      for (int i = 0; i < 8; ++i) {
        to[written + i] = offset + static_cast<std::uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    to += count;
  }
  return to;
}

}  // namespace

FieldIndex::FieldIndex(const Dialect& dialect)
    : delimiter_(dialect.delimiter), quote_(dialect.quoting ? '"' : '\n'), stretch_(shortest_stretch) {}

void FieldIndex::scan(const char* from, const char* end) {
  base_ = from;
  marks_.resize(stretch_ + group);
  scanned_ = from + std::min<std::size_t>(stretch_, static_cast<std::size_t>(end - from));
  at_ = size_ = 0;
  const std::uint32_t* const to = write_marks(from, scanned_, delimiter_, quote_, marks_.data());
  size_ = static_cast<std::size_t>(to - marks_.data());
}

bool FieldIndex::seek(const char* record, const char* end, std::size_t num_fields) {
  if (base_ == nullptr || record < base_ || record >= scanned_) {
    scan(record, end);
  } else {
    const auto offset = static_cast<std::uint32_t>(record - base_);
    while (at_ < size_ && marks_[at_] < offset) ++at_;
    // Not for every record anew: where marks are too far apart, that would be quadratic.
    if (size_ - at_ < num_fields && offset >= stretch_ / 2 && scanned_ < end) scan(record, end);
  }
  while (size_ - at_ < num_fields && scanned_ < end && stretch_ < longest_stretch) {
    stretch_ *= 2;
    scan(record, end);
  }
  return size_ - at_ >= num_fields;
}

}  // namespace lazylogit::io
