#include "lazylogit/io/formats/text_marks.hpp"

#include <array>
#include <bit>

#include "lazylogit/math/target_clones.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#define LAZYLOGIT_WIDE_MARKS
#endif

namespace lazylogit::io {
namespace {

// A bit for each of 64 bytes: all marks, and those that are listed once more.
struct MarkBits {
  std::uint64_t marks = 0, others = 0;
};

MarkBits bits_of(const char* text, MarkSet wanted) noexcept {
  MarkBits bits;
#if defined(__SSE2__)
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
    const auto equal = [bytes](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i limit = _mm_set1_epi8(static_cast<char>(wanted.below));
    const __m128i from_limit = _mm_cmpeq_epi8(_mm_max_epu8(bytes, limit), bytes);
    const __m128i others = _mm_or_si128(equal('\n'), equal(wanted.other));
    const __m128i named = _mm_or_si128(_mm_or_si128(equal(wanted.first), equal(wanted.second)), others);
    const auto bits_in = [i](__m128i lanes) {
      return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(lanes))} << (16 * i);
    };
    bits.marks |= bits_in(named) | (bits_in(from_limit) ^ (std::uint64_t{0xFFFF} << (16 * i)));
    bits.others |= bits_in(others);
  }
#else
  for (std::size_t i = 0; i < mark_group; ++i) {
    const char c = text[i];
    const bool other = c == '\n' || c == wanted.other;
    const bool mark =
        other || c == wanted.first || c == wanted.second || static_cast<unsigned char>(c) < wanted.below;
    bits.marks |= std::uint64_t{mark} << i;
    bits.others |= std::uint64_t{other} << i;
  }
#endif
  return bits;
}

// The bits of the bytes before `end`.
inline std::uint64_t bits_before(const char* p, const char* end) noexcept {
  return end - p < static_cast<std::ptrdiff_t>(mark_group) ? (std::uint64_t{1} << (end - p)) - 1
                                                           : ~std::uint64_t{0};
}

// The numbers of the marks that `others` are among `bits`, the first of which is number `before`.
inline std::uint32_t* write_others(std::uint64_t others, std::uint64_t bits, std::uint32_t before,
                                   std::uint32_t* to) noexcept {
  for (; others != 0; others &= others - 1)
    *to++ = before + static_cast<std::uint32_t>(std::popcount(bits & ((others & -others) - 1)));
  return to;
}

LAZYLOGIT_TARGET_CLONES WrittenMarks write_narrow(const char* from, const char* end, MarkSet wanted,
                                                  WrittenMarks to) {
  const std::uint32_t* const first = to.marks;
  for (const char* p = from; p < end; p += mark_group) {
    const std::uint64_t before_end = bits_before(p, end);
    const MarkBits found = bits_of(p, wanted);
    std::uint64_t bits = found.marks & before_end;
    to.others = write_others(found.others & before_end, bits, static_cast<std::uint32_t>(to.marks - first),
                             to.others);
    const auto offset = static_cast<std::uint32_t>(p - from);
    const int count = std::popcount(bits);
    // Eight at a time, some of them in vain: a loop that ends after each bit would be guessed wrong each time.
    for (int written = 0; written < count; written += 8)
      for (int i = 0; i < 8; ++i) {
        to.marks[written + i] = offset + static_cast<std::uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    to.marks += count;
  }
  return to;
}

#if defined(LAZYLOGIT_WIDE_MARKS)
// The same with instructions that find and compress 64 bytes at once.
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi,bmi2"))) WrittenMarks write_wide(
    const char* from, const char* end, MarkSet wanted, WrittenMarks to) {
  alignas(64) static constexpr std::array<unsigned char, mark_group> places = [] {
    std::array<unsigned char, mark_group> numbers{};
    for (std::size_t i = 0; i < mark_group; ++i) numbers[i] = static_cast<unsigned char>(i);
    return numbers;
  }();
  const std::uint32_t* const first = to.marks;
  const __m512i place = _mm512_load_si512(places.data());
  const __m512i below = _mm512_set1_epi8(static_cast<char>(wanted.below));
  const __m512i named = _mm512_set1_epi8(wanted.first), second = _mm512_set1_epi8(wanted.second);
  const __m512i other = _mm512_set1_epi8(wanted.other), line_end = _mm512_set1_epi8('\n');
  for (const char* p = from; p < end; p += mark_group) {
    const std::uint64_t before_end = bits_before(p, end);
    const __m512i bytes = _mm512_loadu_si512(p);
    const std::uint64_t others =
        (_mm512_cmpeq_epi8_mask(bytes, line_end) | _mm512_cmpeq_epi8_mask(bytes, other)) & before_end;
    const std::uint64_t bits = ((_mm512_cmplt_epu8_mask(bytes, below) | _mm512_cmpeq_epi8_mask(bytes, named) |
                                 _mm512_cmpeq_epi8_mask(bytes, second)) &
                                before_end) |
                               others;
    to.others = write_others(others, bits, static_cast<std::uint32_t>(to.marks - first), to.others);
    __m512i marks = _mm512_maskz_compress_epi8(bits, place);
    const __m512i offset = _mm512_set1_epi32(static_cast<int>(p - from));
    const int count = std::popcount(bits);
    for (int written = 0; written < count; written += 16) {
      _mm512_storeu_si512(to.marks + written,
                          _mm512_add_epi32(offset, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(marks))));
      marks = _mm512_alignr_epi32(marks, marks, 4);
    }
    to.marks += count;
  }
  return to;
}
#endif

}  // namespace

WrittenMarks write_marks(const char* from, const char* end, MarkSet wanted, WrittenMarks to) {
#if defined(LAZYLOGIT_WIDE_MARKS)
  static const bool is_wide =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
  if (is_wide) return write_wide(from, end, wanted, to);
#endif
  return write_narrow(from, end, wanted, to);
}

}  // namespace lazylogit::io
