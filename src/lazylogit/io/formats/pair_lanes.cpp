#include "lazylogit/io/formats/pair_lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/io/parse_number.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define LAZYLOGIT_PAIR_LANES
#include <immintrin.h>
#endif

namespace lazylogit::io {
namespace {

std::size_t num_pairs(const PairMarks& marks) noexcept {
  return marks.count == 0 ? 0 : (marks.count - 1) / 2;
}

bool ends_value(char c) noexcept { return c == ' ' || c == '\t' || c == '\n'; }

template <bool with_keys, class T>
std::size_t take_one_by_one(const PairMarks& marks, const KeyRule& rule, std::uint32_t* keys,
                            T* values) noexcept {
  const std::size_t size = num_pairs(marks);
  for (std::size_t i = 0; i < size; ++i) {
    const char* const key = marks.base + marks.marks[2 * i] + 1;
    const char* const colon = marks.base + marks.marks[2 * i + 1];
    const char* const stop = marks.base + marks.marks[2 * i + 2];
    if (*colon != ':' || !ends_value(*stop)) return i;
    if constexpr (with_keys) {
      const number::Digits digits = number::leading_digits(number::load8(key));
      if (digits.count - 1 >= 7 || key + digits.count != colon || digits.value < rule.least) return i;
      keys[i] = digits.value - rule.least;
    }
    double value = 1;
    NumberStatus status = NumberStatus::ok;
    const bool is_one = stop - colon == 2 && colon[1] == '1';  // of categories nearly all are
    if (!is_one && (scan_number(colon + 1, stop, value, status) != stop || status != NumberStatus::ok))
      return i;
    values[i] = static_cast<T>(value);
    if (!(values[i] <= std::numeric_limits<T>::max() && values[i] >= std::numeric_limits<T>::lowest()))
      return i;
  }
  return size;
}

#if defined(LAZYLOGIT_PAIR_LANES)
#define LAZYLOGIT_LANES __attribute__((target("avx2,bmi,bmi2")))

constexpr std::size_t longest_number = 16, most_digits = 15;  // fewer than 2^52 make 15 digits

// How sixteen characters become digits at the upper end with zeros before them, by where the point is and how long the number is; and
// what they are to be divided by, without and with a minus sign: NaN where that is no number of `most_digits`.
struct alignas(32) NumberForm {
  std::uint8_t order[longest_number];
  double scale[2];
};

constexpr std::size_t sizes = 32;

constexpr std::array<NumberForm, (longest_number + 1)* sizes> forms = [] {
  std::array<NumberForm, (longest_number + 1) * sizes> all{};
  for (std::size_t point = 0; point <= longest_number; ++point)
    for (std::size_t size = 0; size < sizes; ++size) {
      NumberForm& form = all[point * sizes + size];
      const bool has_point = point < size;
      const std::size_t digits = size - (has_point ? 1 : 0);
      const bool is_number = digits > 0 && digits <= most_digits && size <= longest_number;
      for (std::size_t j = 0; j < longest_number; ++j) {
        const std::size_t digit = j + digits - longest_number;
        form.order[j] = !is_number || j + digits < longest_number
                            ? 0x80
                            : static_cast<std::uint8_t>(digit + (has_point && digit >= point ? 1 : 0));
      }
      double scale = 1;
      for (std::size_t k = point + 1; k < size; ++k) scale *= 10;
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      form.scale[0] = is_number ? scale : none;
      form.scale[1] = is_number ? -scale : none;
    }
  return all;
}();

// 0 for a colon in the upper half, 0 for the end of a value in the lower.
constexpr std::array<std::uint8_t, 512> unexpected = [] {
  std::array<std::uint8_t, 512> all{};
  for (std::size_t c = 0; c < 256; ++c) {
    all[c] = c == ' ' || c == '\t' || c == '\n' ? 0 : 1;
    all[256 + c] = c == ':' ? 0 : 1;
  }
  return all;
}();

// What a group showed that is not as it should be: 0 in all of them is well.
struct Doubts {
  __m256i digits;  // the largest of each
  __m256i keys;    // too long, or too small
  __m256d values;  // not a number
};

// Whether marks are colons and ends of values by turns.
inline bool marks_fit(const char* base, const std::uint32_t* marks) noexcept {
  unsigned bad = 0;
  for (std::size_t i = 0; i < pair_group; ++i)
    bad |= unexpected[256 + static_cast<unsigned char>(base[marks[2 * i + 1]])] |
           unexpected[static_cast<unsigned char>(base[marks[2 * i + 2]])];
  return bad == 0;
}

// Of categories nearly all values are 1.
inline unsigned not_one(const char* base, const std::uint32_t* marks) noexcept {
  return (marks[2] - marks[1] - 2) | static_cast<unsigned>(base[marks[1] + 1] ^ '1');
}
inline bool all_ones(const char* base, const std::uint32_t* marks) noexcept {
  if (not_one(base, marks) != 0) return false;
  unsigned other = 0;
  for (std::size_t i = 1; i < pair_group; ++i) other |= not_one(base, marks + 2 * i);
  return other == 0;
}

LAZYLOGIT_LANES inline __m256i set1(std::uint32_t x) { return _mm256_set1_epi32(static_cast<int>(x)); }

// Digits, the first of them lowest, become numbers of four digits.
LAZYLOGIT_LANES inline __m256i fours(__m256i digits) {
  return _mm256_madd_epi16(_mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010A)), set1(0x00010064));
}

LAZYLOGIT_LANES inline __m128i number_digits(const char* colon, const char* stop, const double*& scale) {
  const std::size_t negative = colon[1] == '-' ? 1 : 0;
  const char* const from = colon + 1 + negative;
  const auto size = std::min<std::size_t>(static_cast<std::size_t>(stop - from), sizes - 1);
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const auto points = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('.'))));
  const auto point = static_cast<std::size_t>(std::countr_zero(points | 1U << longest_number));
  const NumberForm& form = forms[point * sizes + size];
  scale = form.scale + negative;
  return _mm_shuffle_epi8(_mm_sub_epi8(text, _mm_set1_epi8('0')),
                          _mm_load_si128(reinterpret_cast<const __m128i*>(form.order)));
}

LAZYLOGIT_LANES inline __m256d four_values(const char* base, const std::uint32_t* marks, Doubts& doubts) {
  __m128i text[4];
  const double* scale[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const char* const colon = base + marks[2 * i + 1];
    const char* const stop = base + marks[2 * i + 2];
    text[i] = number_digits(colon, stop, scale[i]);
  }
  const __m256i even = _mm256_set_m128i(text[2], text[0]), odd = _mm256_set_m128i(text[3], text[1]);
  doubts.digits = _mm256_max_epu8(doubts.digits, _mm256_max_epu8(even, odd));
  const __m256i eights = _mm256_madd_epi16(_mm256_packus_epi32(fours(even), fours(odd)), set1(0x00012710));
  const __m256i mantissa =
      _mm256_add_epi64(_mm256_mul_epu32(eights, set1(100000000)), _mm256_srli_epi64(eights, 32));
  // Below 2^52: the bits of 2^52 + mantissa.
  const __m256d magnitude =
      _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(mantissa, _mm256_set1_epi64x(0x4330000000000000))),
                    _mm256_set1_pd(0x1p52));
  const __m128d low = _mm_loadh_pd(_mm_load_sd(scale[0]), scale[1]);
  const __m128d high = _mm_loadh_pd(_mm_load_sd(scale[2]), scale[3]);
  const __m256d value = _mm256_div_pd(magnitude, _mm256_set_m128d(high, low));
  doubts.values = _mm256_or_pd(doubts.values, _mm256_cmp_pd(value, value, _CMP_UNORD_Q));
  return value;
}

LAZYLOGIT_LANES inline __m128i two_words(const char* first, const char* second) {
  const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(first));
  return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(low), reinterpret_cast<const double*>(second)));
}

// Four keys of up to eight digits; `unused` says how many bits of each word are no part of it.
LAZYLOGIT_LANES inline __m256i four_keys(const char* base, const std::uint32_t* marks, __m128i unused,
                                         Doubts& doubts) {
  const char* const first = base + 1;
  const __m256i text = _mm256_set_m128i(two_words(first + marks[4], first + marks[6]),
                                        two_words(first + marks[0], first + marks[2]));
  const __m256i digits =
      _mm256_sllv_epi64(_mm256_sub_epi8(text, _mm256_set1_epi8('0')), _mm256_cvtepu32_epi64(unused));
  doubts.digits = _mm256_max_epu8(doubts.digits, digits);
  const __m256i halves = fours(digits);
  return _mm256_add_epi64(_mm256_mul_epu32(halves, set1(10000)), _mm256_srli_epi64(halves, 32));
}

// The lower halves of the 64-bit lanes (0x88), or the upper ones (0xDD), of both.
template <int halves>
LAZYLOGIT_LANES inline __m256i joined(__m256i a, __m256i b) {
  const __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), halves);
  return _mm256_permute4x64_epi64(_mm256_castps_si256(both), 0xD8);
}

LAZYLOGIT_LANES inline __m256i eight_keys(const char* base, const std::uint32_t* marks, std::uint32_t least,
                                          Doubts& doubts) {
  const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(marks));
  const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(marks + 8));
  const __m256i above_one =
      _mm256_sub_epi32(_mm256_sub_epi32(joined<0xDD>(a, b), joined<0x88>(a, b)), set1(2));
  const __m256i unused = _mm256_sub_epi32(set1(56), _mm256_slli_epi32(above_one, 3));
  const __m256i low = four_keys(base, marks, _mm256_castsi256_si128(unused), doubts);
  const __m256i high = four_keys(base, marks + 8, _mm256_extracti128_si256(unused, 1), doubts);
  const __m256i keys = _mm256_sub_epi32(joined<0x88>(low, high), set1(least));
  doubts.keys = _mm256_or_si256(
      doubts.keys, _mm256_or_si256(_mm256_srli_epi32(above_one, 3), _mm256_srai_epi32(keys, 31)));
  return keys;
}

LAZYLOGIT_LANES inline void store(__m256d low, __m256d high, float* to) {
  _mm256_storeu_ps(to, _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)));
}
LAZYLOGIT_LANES inline void store(__m256d low, __m256d high, double* to) {
  _mm256_storeu_pd(to, low);
  _mm256_storeu_pd(to + 4, high);
}

// The key may be nonsense, the address nowhere: asking does no harm.
inline void ask_for(const std::uint32_t* table, std::uint32_t key) noexcept {
  prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(table) +
                                         std::uintptr_t{key} * sizeof *table));
}

template <bool with_keys, class T>
LAZYLOGIT_LANES std::size_t take_groups(const PairMarks& marks, const KeyRule& rule, std::uint32_t* keys,
                                        T* values) noexcept {
  const std::size_t size = num_pairs(marks);
  if (size < pair_group) return 0;
  for (std::size_t at = 0; at < size;) {
    at = std::min(at, size - pair_group);  // the last group may have some of the one before
    const std::uint32_t* const here = marks.marks + 2 * at;
    if (!marks_fit(marks.base, here)) return at;
    Doubts doubts = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_pd()};
    if constexpr (with_keys) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys + at),
                          eight_keys(marks.base, here, rule.least, doubts));
      if (rule.table != nullptr)
        for (std::size_t i = 0; i < pair_group; ++i) ask_for(rule.table, keys[at + i]);
    }
    __m256d low = _mm256_set1_pd(1), high = low;
    if (!all_ones(marks.base, here)) {
      low = four_values(marks.base, here, doubts);
      high = four_values(marks.base, here + 8, doubts);
    }
    store(low, high, values + at);
    const __m256i other = _mm256_subs_epu8(doubts.digits, _mm256_set1_epi8(9));
    const __m256i any =
        _mm256_or_si256(_mm256_or_si256(other, doubts.keys), _mm256_castpd_si256(doubts.values));
    if (_mm256_testz_si256(any, any) == 0) return at;
    at += pair_group;
  }
  return size;
}
#endif

template <bool with_keys, class T>
std::size_t take(const PairMarks& marks, const KeyRule& rule, std::uint32_t* keys, T* values,
                 LaneUse use) noexcept {
#if defined(LAZYLOGIT_PAIR_LANES)
  static const bool has_lanes = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
  if (has_lanes && use == LaneUse::where_possible) return take_groups<with_keys>(marks, rule, keys, values);
#else
  (void)use;
#endif
  return take_one_by_one<with_keys>(marks, rule, keys, values);
}

}  // namespace

template <class T>
std::size_t take_pairs(const PairMarks& marks, const KeyRule& rule, std::uint32_t* keys, T* values,
                       LaneUse use) noexcept {
  return take<true>(marks, rule, keys, values, use);
}
template <class T>
std::size_t take_values(const PairMarks& marks, T* values, LaneUse use) noexcept {
  return take<false>(marks, {.least = 0}, nullptr, values, use);
}

template std::size_t take_pairs(const PairMarks&, const KeyRule&, std::uint32_t*, float*, LaneUse) noexcept;
template std::size_t take_pairs(const PairMarks&, const KeyRule&, std::uint32_t*, double*, LaneUse) noexcept;
template std::size_t take_values(const PairMarks&, float*, LaneUse) noexcept;
template std::size_t take_values(const PairMarks&, double*, LaneUse) noexcept;

}  // namespace lazylogit::io
