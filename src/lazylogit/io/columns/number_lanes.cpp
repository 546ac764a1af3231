#include "lazylogit/io/columns/number_lanes.hpp"

#include <algorithm>
#include <bit>

#include "lazylogit/io/columns/short_number.hpp"

// Plain x86-64, AVX2 and AVX-512 (or NEON): the steps that matter.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lazylogit/io/columns/number_lanes.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lazylogit::io {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

constexpr size_t fields_at_once = 32;

// The eight characters before the end of each field, the last one in the highest byte, and its first one. They are
// taken well before vectors are loaded from here: a vector that is loaded right after its lanes were stored has to wait.
struct Characters {
  HWY_ALIGN uint64_t last[fields_at_once];
  HWY_ALIGN uint32_t first[fields_at_once];

  HWY_INLINE void Take(const char* base, const uint32_t* ends, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      last[i] = number::load8(base + ends[i] - 8);
      first[i] =
          static_cast<unsigned char>(base[static_cast<size_t>(ends[static_cast<ptrdiff_t>(i) - 1] + 1)]);
    }
    for (size_t i = count; i % number_group != 0; ++i) last[i] = first[i] = 0;
  }
};

// 10^i for 0 ≤ i < 8.
template <class D>
HWY_INLINE hn::Vec<D> PowersOfTen(D d, hn::Vec<hn::RebindToSigned<D> > i) {
  if constexpr (hn::MaxLanes(D()) == 8)
    return hn::TableLookupLanes(hn::LoadU(d, number::power_of_ten), hn::IndicesFromVec(d, i));
  else
    return hn::GatherIndex(d, number::power_of_ten, i);
}

template <class D>
HWY_INLINE unsigned BitsOf(D d, hn::Mask<D> mask) {
#if HWY_TARGET == HWY_AVX3
  (void)d;
  return static_cast<unsigned>(mask.raw);
#else
  uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
#endif
}

// The numbers of Lanes(d) fields, and a bit for each that is a short number.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToFloat<D> > Convert(D d, const uint64_t* last, const uint32_t* first,
                                                  const uint32_t* ends, unsigned& taken) {
  const hn::RebindToFloat<D> df;
  const hn::RebindToSigned<D> di;
  const hn::Repartition<uint8_t, D> d8;
  const hn::Repartition<uint16_t, D> d16;
  const hn::Repartition<uint32_t, D> d32;
  const hn::Rebind<uint32_t, D> dh;
  const auto zero = hn::Zero(d), ones = hn::Set(d, uint64_t{0x0101010101010101});
  const auto one = hn::Set(dh, uint32_t{1});
  const auto negative =
      hn::And(one, hn::VecFromMask(dh, hn::Eq(hn::Load(dh, first), hn::Set(dh, uint32_t{'-'}))));
  // One less than the number of characters without the sign; very large where there are none.
  const auto above_one = hn::PromoteTo(
      d,
      hn::Sub(hn::Sub(hn::Sub(hn::LoadU(dh, ends), hn::LoadU(dh, ends - 1)), hn::Add(one, one)), negative));
  const auto fits = hn::Lt(hn::BitCast(di, above_one), hn::Set(di, int64_t{8}));
  const auto size = hn::Add(above_one, hn::Set(d, uint64_t{1}));
  const auto kept = hn::Shl(
      hn::Set(d, ~uint64_t{0}),
      hn::And(hn::Sub(hn::Set(d, uint64_t{56}), hn::ShiftLeft<3>(above_one)), hn::Set(d, uint64_t{63})));
  const auto text = hn::And(hn::Load(d, last), kept);
  const auto point =
      hn::BitCast(d, hn::VecFromMask(d8, hn::Eq(hn::BitCast(d8, text), hn::Set(d8, uint8_t{'.'}))));
  const auto is_whole = hn::Eq(point, zero);
  // The bytes below the point move up by one.
  const auto lowest = hn::AndNot(hn::ShiftLeft<1>(point), point);
  const auto below = hn::IfThenZeroElse(is_whole, hn::Sub(lowest, hn::Set(d, uint64_t{1})));
  const auto above = hn::Not(hn::Or(below, point));
  const auto joined = hn::Or(hn::ShiftLeft<8>(hn::And(text, below)), hn::And(text, above));
  const auto points = hn::SumsOf8(hn::BitCast(d8, hn::And(point, ones)));
  const auto decimals = hn::SumsOf8(hn::BitCast(d8, hn::IfThenZeroElse(is_whole, hn::And(above, ones))));
  const auto digits = hn::Sub(size, points);
  const auto used =
      hn::Shl(hn::Set(d, ~uint64_t{0}), hn::Sub(hn::Set(d, uint64_t{64}), hn::ShiftLeft<3>(digits)));
  const auto t = hn::And(hn::Xor(joined, hn::Set(d, uint64_t{0x3030303030303030})), used);
  const auto other = hn::And(hn::Or(hn::Add(t, hn::Set(d, uint64_t{0x7676767676767676})), t),
                             hn::Set(d, uint64_t{0x8080808080808080}));
  const auto is_number =
      hn::And(hn::Eq(hn::Or(other, hn::ShiftRight<1>(points)), zero), hn::Ne(digits, zero));
  // Pairs, fours and eights of digits; the lower ones come first in the text.
  const auto t16 = hn::BitCast(d16, t);
  const auto pairs = hn::Add(hn::Mul(hn::And(t16, hn::Set(d16, uint16_t{0xFF})), hn::Set(d16, uint16_t{10})),
                             hn::ShiftRight<8>(t16));
  const auto weighted =
      hn::BitCast(d32, hn::Mul(pairs, hn::BitCast(d16, hn::Set(d32, uint32_t{0x00010064}))));
  const auto fours = hn::Add(hn::And(weighted, hn::Set(d32, uint32_t{0xFFFF})), hn::ShiftRight<16>(weighted));
  const auto mantissa =
      hn::Add(hn::MulEven(fours, hn::Set(d32, uint32_t{10000})), hn::ShiftRight<32>(hn::BitCast(d, fours)));
  // Below 2^52: the bits of 2^52 + mantissa.
  const auto magnitude = hn::Sub(hn::BitCast(df, hn::Or(mantissa, hn::Set(d, uint64_t{0x4330000000000000}))),
                                 hn::Set(df, 0x1p52));
  const auto scale = PowersOfTen(df, hn::BitCast(di, decimals));
  const auto sign = hn::ShiftLeft<63>(hn::PromoteTo(d, negative));
  taken = BitsOf(d, hn::And(is_number, hn::RebindMask(d, fits)));
  return hn::BitCast(df, hn::Or(hn::BitCast(d, hn::Div(magnitude, scale)), sign));
}

// The numbers of a group of fields: which of them are short numbers, and other than 0.
struct Group {
  unsigned taken = 0, nonzero = 0;
};

#if HWY_TARGET == HWY_AVX3
// A group at a time, all of whose fields are taken to be short numbers until one is not: then Convert says which are.

using GroupValues = __m512d;

HWY_INLINE void Keep(GroupValues values, double* to) { _mm512_storeu_pd(to, values); }

// By the number of bytes up to the point, of eight, which is taken modulo 8: the power of ten that the digits after it
// make, and its reciprocal, rounded.
HWY_ALIGN constexpr double powers[8] = {1, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1};
HWY_ALIGN constexpr double reciprocals[8] = {1, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

// mantissa / power, rounded once as a division does: the remainder of the first guess is exact, and a guess that is
// corrected by it with a rounded reciprocal is the quotient (Markstein).
HWY_INLINE __m512d DivideByPower(__m512d mantissa, __m512i size) {
  const __m512d power = _mm512_permutexvar_pd(size, _mm512_load_pd(powers));
  const __m512d reciprocal = _mm512_permutexvar_pd(size, _mm512_load_pd(reciprocals));
  const __m512d guess = _mm512_mul_pd(mantissa, reciprocal);
  return _mm512_fmadd_pd(_mm512_fnmadd_pd(guess, power, mantissa), reciprocal, guess);
}

HWY_INLINE GroupValues ReadGroup(const uint64_t* last, const uint32_t* first, const uint32_t* ends,
                                 unsigned valid, SeenNumbers& seen, Group& group) {
  const __mmask8 lanes = static_cast<__mmask8>(valid);
  const __mmask8 negative = _mm256_cmpeq_epi32_mask(
      _mm256_load_si256(reinterpret_cast<const __m256i*>(first)), _mm256_set1_epi32('-'));
  // One less than the number of characters without the sign; very large where there are none.
  const __m256i between = _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends)),
                                           _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ends - 1)));
  const __m256i above_one = _mm256_mask_sub_epi32(_mm256_sub_epi32(between, _mm256_set1_epi32(2)), negative,
                                                  between, _mm256_set1_epi32(3));
  const __mmask8 fits = _mm256_cmplt_epu32_mask(above_one, _mm256_set1_epi32(8));
  const __m512i unused =
      _mm512_cvtepu32_epi64(_mm256_sub_epi32(_mm256_set1_epi32(56), _mm256_slli_epi32(above_one, 3)));
  const __m512i kept = _mm512_maskz_sllv_epi64(lanes, _mm512_set1_epi64(-1), unused);
  // Digits become their values; a point, 0x1E; what is no part of the field, 0.
  const __m512i text =
      _mm512_and_si512(_mm512_xor_si512(_mm512_load_si512(last), _mm512_set1_epi8('0')), kept);
  const __mmask64 points = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('.' ^ '0'));
  __m512i digits = text, size = _mm512_setzero_si512();  // bytes up to the point, 0 without one
  __mmask8 has_point = 0, no_digits = 0;
  if (points != 0) {
    // What is before the first point moves up by one byte, and over it.
    const __m512i point = _mm512_movm_epi8(points);
    has_point = _mm512_test_epi64_mask(point, point);
    const __m512i below = _mm512_andnot_si512(point, _mm512_add_epi64(point, _mm512_set1_epi64(-1)));
    const __m512i moved =
        _mm512_maskz_or_epi64(has_point, _mm512_slli_epi64(below, 8), _mm512_set1_epi64(0xFF));
    digits = _mm512_ternarylogic_epi64(moved, _mm512_slli_epi64(text, 8), text, 0xCA);
    size = _mm512_sad_epu8(_mm512_and_si512(moved, _mm512_set1_epi8(1)), _mm512_setzero_si512());
    no_digits = has_point & _mm256_cmpeq_epi32_mask(above_one, _mm256_setzero_si256());
  }
  const __mmask64 others = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9));
  if (others != 0 || no_digits != 0 || (fits & seen.known & valid) != valid) {
    const hn::FixedTag<uint64_t, 8> d;
    return Convert(d, last, first, ends, group.taken).raw;
  }
  group.taken = valid;
  // Pairs, fours and eights of digits; the lower ones come first in the text.
  const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A));
  const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
  const __m512i mantissa =
      _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)), _mm512_srli_epi64(fours, 32));
  __m512d value = _mm512_cvtepu64_pd(mantissa);
  if (points != 0) value = DivideByPower(value, size);
  value = _mm512_mask_xor_pd(value, negative, value, _mm512_set1_pd(-0.0));
  group.nonzero = _mm512_mask_cmp_pd_mask(lanes, value, _mm512_setzero_pd(), _CMP_NEQ_OQ);
  const unsigned other = _mm512_mask_cmp_pd_mask(lanes, value, _mm512_loadu_pd(seen.first), _CMP_NEQ_OQ);
  seen.varied = static_cast<uint8_t>(seen.varied | other);
  return value;
}

HWY_INLINE void Append(GroupValues values, unsigned bits, uint32_t column, uint32_t* ids, double* to) {
  HWY_ALIGN static constexpr uint32_t places[number_group] = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto mask = static_cast<__mmask8>(bits);
  const __m256i columns = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(column)),
                                           _mm256_load_si256(reinterpret_cast<const __m256i*>(places)));
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(mask, values));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(ids), _mm256_maskz_compress_epi32(mask, columns));
}
#else
struct GroupValues {
  double value[number_group];
};

HWY_INLINE void Keep(const GroupValues& values, double* to) {
  std::copy(values.value, values.value + number_group, to);
}

HWY_INLINE GroupValues ReadGroup(const uint64_t* last, const uint32_t* first, const uint32_t* ends,
                                 unsigned valid, SeenNumbers& seen, Group& group) {
  const hn::CappedTag<uint64_t, number_group> d;
  const hn::RebindToFloat<decltype(d)> df;
  GroupValues values;
  unsigned other = 0;
  for (size_t i = 0; i < number_group; i += hn::Lanes(d)) {
    unsigned taken = 0;
    const auto some = Convert(d, last + i, first + i, ends + i, taken);
    hn::StoreU(some, df, values.value + i);
    group.taken |= taken << i;
    group.nonzero |= BitsOf(df, hn::Ne(some, hn::Zero(df))) << i;
    other |= BitsOf(df, hn::Ne(some, hn::LoadU(df, seen.first + i))) << i;
  }
  group.nonzero &= valid;
  if ((group.taken & seen.known & valid) == valid)
    seen.varied = static_cast<uint8_t>(seen.varied | (other & valid));
  return values;
}

HWY_INLINE void Append(const GroupValues& values, unsigned bits, uint32_t column, uint32_t* ids, double* to) {
  size_t size = 0;
  for (size_t i = 0; i < number_group; ++i) {  // no branch: zeros come as they like
    ids[size] = column + static_cast<uint32_t>(i);
    to[size] = values.value[i];
    size += bits >> i & 1;
  }
}
#endif

uint32_t Take(const NumberFields& fields, SeenNumbers* seen, NumberEntries& entries, StoppedGroup& stopped) {
  Characters characters;
  uint32_t* ids = entries.ids + entries.size;
  double* values = entries.values + entries.size;
  uint32_t at = 0;
  for (; at < fields.count; ++seen) {
    const size_t place = at % fields_at_once;
    if (place == 0)
      characters.Take(fields.base, fields.ends + at, std::min<size_t>(fields_at_once, fields.count - at));
    const unsigned valid = fields.count - at >= number_group ? 0xFF : (1U << (fields.count - at)) - 1;
    Group group;
    const auto numbers =
        ReadGroup(characters.last + place, characters.first + place, fields.ends + at, valid, *seen, group);
    if ((group.taken & seen->known & valid) != valid) {
      Keep(numbers, stopped.values);
      stopped.taken = static_cast<uint8_t>(group.taken & valid);
      break;
    }
    Append(numbers, group.nonzero, fields.column + at, ids, values);
    ids += std::popcount(group.nonzero);
    values += std::popcount(group.nonzero);
    at = std::min<uint32_t>(fields.count, at + number_group);
  }
  entries.size = static_cast<size_t>(ids - entries.ids);
  return at;
}

#else

uint32_t Take(const NumberFields& fields, SeenNumbers* seen, NumberEntries& entries, StoppedGroup& stopped) {
  for (uint32_t at = 0; at < fields.count; at += number_group, ++seen) {
    const uint32_t count = std::min<uint32_t>(number_group, fields.count - at);
    stopped.taken = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t* const end = fields.ends + at + i;
      const char* const begin = fields.base + static_cast<size_t>(end[-1] + 1);
      if (read_short_number(begin, static_cast<size_t>(fields.base + *end - begin), stopped.values[i]))
        stopped.taken |= uint8_t{1} << i;
    }
    const unsigned valid = (1U << count) - 1;
    if ((stopped.taken & seen->known & valid) != valid) return at;
    for (uint32_t i = 0; i < count; ++i) {
      if (stopped.values[i] != seen->first[i]) seen->varied |= uint8_t{1} << i;
      if (stopped.values[i] == 0) continue;
      entries.ids[entries.size] = fields.column + at + i;
      entries.values[entries.size++] = stopped.values[i];
    }
  }
  return fields.count;
}
#endif

TakeNumbers Taker() { return Take; }

}  // namespace HWY_NAMESPACE
}  // namespace lazylogit::io
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lazylogit::io {

namespace {
HWY_EXPORT(Taker);
}  // namespace

TakeNumbers number_taker() { return HWY_DYNAMIC_DISPATCH(Taker)(); }

}  // namespace lazylogit::io
#endif
