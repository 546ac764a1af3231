#include "lazylogit/io/formats/field_index.hpp"

#include <algorithm>
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

constexpr std::size_t shortest_stretch = std::size_t{1} << 14, longest_stretch = std::size_t{1} << 22;
constexpr std::size_t group = 64;

// Delimiters; line ends and quotes.
struct Wanted {
  char delimiter, quote;
};

// Where marks were written to.
struct Written {
  std::uint32_t* marks;   // offsets
  std::uint32_t* others;  // numbers of marks
};

// A bit for each of 64 bytes that is one of the two.
std::uint64_t bits_of(const char* text, char a, char b) noexcept {
#if defined(__SSE2__)
  const __m128i va = _mm_set1_epi8(a), vb = _mm_set1_epi8(b);
  std::uint64_t bits = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
    const __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, va), _mm_cmpeq_epi8(bytes, vb));
    bits |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(hits))} << (16 * i);
  }
  return bits;
#else
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < group; ++i) bits |= std::uint64_t{text[i] == a || text[i] == b} << i;
  return bits;
#endif
}

// The bits of the bytes before `end`.
inline std::uint64_t bits_before(const char* p, const char* end) noexcept {
  return end - p < static_cast<std::ptrdiff_t>(group) ? (std::uint64_t{1} << (end - p)) - 1
                                                      : ~std::uint64_t{0};
}

// The numbers of the marks that `others` are among `bits`, the first of which is number `before`.
inline std::uint32_t* write_others(std::uint64_t others, std::uint64_t bits, std::uint32_t before,
                                   std::uint32_t* to) noexcept {
  for (; others != 0; others &= others - 1)
    *to++ = before + static_cast<std::uint32_t>(std::popcount(bits & ((others & -others) - 1)));
  return to;
}

// Writes where the marks of [from, end) are, counted from `from`, with room for a group more.
LAZYLOGIT_TARGET_CLONES Written write_marks(const char* from, const char* end, Wanted wanted, Written to) {
  const std::uint32_t* const first = to.marks;
  for (const char* p = from; p < end; p += group) {
    const std::uint64_t before_end = bits_before(p, end);
    const std::uint64_t others = bits_of(p, '\n', wanted.quote) & before_end;
    std::uint64_t bits = (bits_of(p, wanted.delimiter, wanted.delimiter) & before_end) | others;
    to.others = write_others(others, bits, static_cast<std::uint32_t>(to.marks - first), to.others);
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
__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi,bmi2"))) Written write_marks_wide(
    const char* from, const char* end, Wanted wanted, Written to) {
  alignas(64) static constexpr std::array<unsigned char, group> places = [] {
    std::array<unsigned char, group> numbers{};
    for (std::size_t i = 0; i < group; ++i) numbers[i] = static_cast<unsigned char>(i);
    return numbers;
  }();
  const std::uint32_t* const first = to.marks;
  const __m512i place = _mm512_load_si512(places.data());
  const __m512i delimiter = _mm512_set1_epi8(wanted.delimiter), quote = _mm512_set1_epi8(wanted.quote);
  const __m512i line_end = _mm512_set1_epi8('\n');
  for (const char* p = from; p < end; p += group) {
    const std::uint64_t before_end = bits_before(p, end);
    const __m512i bytes = _mm512_loadu_si512(p);
    const std::uint64_t others =
        (_mm512_cmpeq_epi8_mask(bytes, line_end) | _mm512_cmpeq_epi8_mask(bytes, quote)) & before_end;
    const std::uint64_t bits = (_mm512_cmpeq_epi8_mask(bytes, delimiter) & before_end) | others;
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

using WriteMarks = Written (*)(const char* from, const char* end, Wanted wanted, Written to);

WriteMarks mark_writer() noexcept {
#if defined(LAZYLOGIT_WIDE_MARKS)
  static const bool is_wide =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
  if (is_wide) return write_marks_wide;
#endif
  return write_marks;
}

}  // namespace

FieldIndex::FieldIndex(const Dialect& dialect)
    : delimiter_(dialect.delimiter), quote_(dialect.quoting ? '"' : '\n'), stretch_(shortest_stretch) {}

void FieldIndex::scan(const char* from, const char* end) {
  constexpr std::uint32_t before_all = 0xFFFFFFFF, after_all = 0xFFFFFFFF;
  base_ = from;
  marks_.resize(first_mark + stretch_ + group);
  others_.resize(stretch_ + 1);
  marks_[0] = before_all;  // one less than 0, where the first record starts
  scanned_ = from + std::min<std::size_t>(stretch_, static_cast<std::size_t>(end - from));
  at_ = other_at_ = 0;
  const Written to =
      mark_writer()(from, scanned_, {delimiter_, quote_}, {marks_.data() + first_mark, others_.data()});
  size_ = static_cast<std::size_t>(to.marks - marks_.data()) - first_mark;
  *to.others = after_all;
}

bool FieldIndex::seek(const char* record, const char* end, std::size_t num_fields) {
  if (base_ == nullptr || record < base_ || record >= scanned_) {
    scan(record, end);
  } else {
    const auto offset = static_cast<std::uint32_t>(record - base_);
    while (at_ < size_ && marks_[first_mark + at_] < offset) ++at_;
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
