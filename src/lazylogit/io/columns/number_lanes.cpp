#include "lazylogit/io/columns/number_lanes.hpp"

#include <algorithm>

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

HWY_INLINE const char* FieldBegin(const RowFields& row, uint32_t column) {
  return column == 0 ? row.record : row.base + row.ends[column - 1] + 1;
}

#if HWY_TARGET == HWY_SCALAR
void Read(const RowFields& row, std::span<const std::uint32_t> columns, double* values, std::uint8_t* taken) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const char* const begin = FieldBegin(row, columns[i]);
    const auto size = static_cast<size_t>(row.base + row.ends[columns[i]] - begin);
    if (i % number_group == 0) taken[i / number_group] = 0;
    if (read_short_number(begin, size, values[i])) taken[i / number_group] |= uint8_t{1} << i % number_group;
  }
}
#else

// The characters of numbers without their signs, the last one in the highest byte, zeros before the first; how many
// they are; and the bits of the signs.
struct Characters {
  HWY_ALIGN uint64_t text[number_group];
  HWY_ALIGN uint64_t size[number_group];
  HWY_ALIGN uint64_t sign[number_group];

  HWY_INLINE void Take(const RowFields& row, std::span<const std::uint32_t> columns, size_t from) {
    const size_t count = std::min(number_group, columns.size() - from);
    for (size_t i = 0; i < count; ++i) {
      const char* const begin = FieldBegin(row, columns[from + i]);
      const uint64_t negative = *begin == '-' ? 1 : 0;
      const uint64_t length =
          static_cast<uint64_t>(row.base + row.ends[columns[from + i]] - begin) - negative;
      const bool fits = length - 1 <= 7;
      // What does not fit becomes a character that is no digit.
      text[i] = fits ? number::load8(begin + negative) << ((64 - 8 * length) & 63) : 0;
      size[i] = fits ? length : 1;
      sign[i] = negative << 63;
    }
    for (size_t i = count; i < number_group; ++i) text[i] = size[i] = sign[i] = 0;
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

// The numbers of Lanes(d) texts; a bit for each that is one.
template <class D>
HWY_INLINE unsigned Convert(D d, const uint64_t* texts, const uint64_t* sizes, const uint64_t* signs,
                            double* values) {
  const hn::RebindToFloat<D> df;
  const hn::RebindToSigned<D> di;
  const hn::Repartition<uint8_t, D> d8;
  const hn::Repartition<uint16_t, D> d16;
  const hn::Repartition<uint32_t, D> d32;
  const auto zero = hn::Zero(d), ones = hn::Set(d, uint64_t{0x0101010101010101});
  const auto text = hn::Load(d, texts), size = hn::Load(d, sizes);
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
  const auto value = hn::Or(hn::BitCast(d, hn::Div(magnitude, scale)), hn::Load(d, signs));
  hn::StoreU(hn::BitCast(df, value), df, values);
  uint8_t bits[8] = {};
  hn::StoreMaskBits(d, is_number, bits);
  return bits[0];
}

void Read(const RowFields& row, std::span<const std::uint32_t> columns, double* values, std::uint8_t* taken) {
  const hn::CappedTag<uint64_t, number_group> d;
  const size_t lanes = hn::Lanes(d);
  // Characters are taken a group ahead: a vector that is loaded right after its lanes were stored has to wait.
  Characters characters[2];
  if (!columns.empty()) characters[0].Take(row, columns, 0);
  for (size_t from = 0, turn = 0; from < columns.size(); from += number_group, turn ^= 1) {
    if (from + number_group < columns.size()) characters[turn ^ 1].Take(row, columns, from + number_group);
    const Characters& now = characters[turn];
    unsigned bits = 0;
    for (size_t i = 0; i < number_group; i += lanes)
      bits |= Convert(d, now.text + i, now.size + i, now.sign + i, values + from + i) << i;
    taken[from / number_group] = static_cast<uint8_t>(bits);
  }
}
#endif

ReadNumbers Reader() { return Read; }

}  // namespace HWY_NAMESPACE
}  // namespace lazylogit::io
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lazylogit::io {

namespace {
HWY_EXPORT(Reader);
}  // namespace

ReadNumbers number_reader() { return HWY_DYNAMIC_DISPATCH(Reader)(); }

}  // namespace lazylogit::io
#endif
