// apply_softmax_residuals of softmax.hpp in vector form, one set per instruction set, chosen when first used. Sums are
// taken in eight interleaved parts that are added in a fixed order, and nothing is fused: the same bits on every machine,
// whatever the length of its vectors.
#include <algorithm>
#include <cmath>

#include "lazylogit/math/elementary.hpp"
#include "lazylogit/math/softmax.hpp"

// Plain x86-64, AVX2 and AVX-512 (or NEON): the steps that matter.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lazylogit/math/softmax_residuals.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#ifndef LAZYLOGIT_SOFTMAX_RESIDUALS
#define LAZYLOGIT_SOFTMAX_RESIDUALS
namespace lazylogit::math {

struct ExpSum {
  double below = 0;  // Σ exp(score − top) over the scores that are not the top
  double ties = 0;   // how many are
};
struct TopAndRest {
  double top;
  double
      rest;  // Σ exp(score − top) without the top's own 1, which log1p must not see; NaN for a top that is not finite
};
// The reference, where there is one (`least` is its score 0, else −∞), joins the sum.
inline TopAndRest with_rest(ExpSum sum, double top, double least) noexcept {
  if (least == 0) {
    if (top == 0)
      sum.ties += 1;
    else
      sum.below += exp_nonpositive(-top);
  }
  return {top, (sum.below + (sum.ties - 1)) + (top - top)};
}

}  // namespace lazylogit::math
#endif

HWY_BEFORE_NAMESPACE();
namespace lazylogit::math {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kLanes = 8;
using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
constexpr size_t kWidth = hn::MaxLanes(D()), kVectors = kLanes / kWidth;

// exp_nonpositive of elementary.hpp, its series summed in parts that do not wait for each other.
HWY_INLINE V Exp(D d, V x) {
  const auto c = [&](double value) HWY_ATTR { return hn::Set(d, value); };
  x = hn::IfThenElse(hn::Lt(x, c(-760.0)), c(-760.0), x);
  const V shifted = hn::Add(hn::Mul(x, c(1.4426950408889634074)), c(6755399441055744.0));
  const V k = hn::Sub(shifted, c(6755399441055744.0));
  const V r = hn::Sub(hn::Sub(x, hn::Mul(k, c(6.93147180369123816490e-01))),
                      hn::Mul(k, c(1.90821492927058770002e-10)));
  const V r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
  const auto pair = [&](double low, double high) HWY_ATTR { return hn::Add(hn::Mul(c(high), r), c(low)); };
  const auto four = [&](V low, V high) HWY_ATTR { return hn::Add(hn::Mul(high, r2), low); };
  const V low = four(pair(0.5, 1.0 / 6), pair(1.0 / 24, 1.0 / 120));
  const V middle = four(pair(1.0 / 720, 1.0 / 5040), pair(1.0 / 40320, 1.0 / 362880));
  const V high = four(pair(1.0 / 3628800, 1.0 / 39916800), pair(1.0 / 479001600, 1.0 / 6227020800));
  V p = hn::Add(hn::Mul(hn::Add(hn::Mul(high, r4), middle), r4), low);
  p = hn::Add(hn::Add(hn::Mul(p, r2), r), c(1.0));
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::ShiftLeft<52>(hn::Add(hn::BitCast(du, shifted), hn::Set(du, 1023 + 100)));
  return hn::Mul(hn::Mul(p, hn::BitCast(d, bits)), c(0x1p-100));
}

// The first `count` ≤ kWidth numbers at `place`, −∞ beyond: nothing is read past the end.
HWY_INLINE V LoadFirst(D d, const double* place, size_t count) {
  if (count == kWidth) return hn::LoadU(d, place);
  const V none = hn::Set(d, -HUGE_VAL);
  if (count == 0) return none;
  const auto first = hn::FirstN(d, count);
  if constexpr (kWidth <= 2)
    return hn::IfThenElse(first, hn::Set(d, *place), none);
  else
    return hn::IfThenElse(first, hn::MaskedLoad(first, d, place), none);
}

HWY_INLINE void StoreFirst(D d, V v, double* place, size_t count) {
  if (count == kWidth)
    hn::StoreU(v, d, place);
  else if (count > 0 && kWidth <= 2)
    *place = hn::GetLane(v);
  else if (count > 0)
    hn::BlendedStore(v, hn::FirstN(d, count), d, place);
}

// Calls body(vector of eight, place, how many of the vector are there) for the vectors of a row, eight scores at a time.
template <class Body>
HWY_INLINE void ForEights(size_t count, Body&& body) {
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (size_t j = 0; j < kVectors; ++j) body(j, i + j * kWidth, kWidth);
  for (size_t j = 0; i < count; ++j, i += kWidth) body(j, i, std::min(count - i, kWidth));
}

double Top(const double* scores, size_t count, double least) {
  const D d;
  V tops[kVectors];
  for (V& top : tops) top = hn::Set(d, least);
  ForEights(count, [&](size_t j, size_t place, size_t size) HWY_ATTR {
    const V s = LoadFirst(d, scores + place, size);
    tops[j] = hn::IfThenElse(hn::Gt(s, tops[j]), s, tops[j]);
  });
  for (size_t j = 1; j < kVectors; ++j) tops[0] = hn::Max(tops[0], tops[j]);
  return hn::GetLane(hn::MaxOfLanes(d, tops[0]));
}

// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), whatever the length of the vectors.
HWY_INLINE double SumOfEight([[maybe_unused]] D d, const V (&part)[kVectors]) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const hn::Half<D> d4;
  const hn::Half<decltype(d4)> d2;
  const auto four = hn::Add(hn::LowerHalf(d4, part[0]), hn::UpperHalf(d4, part[0]));
  const auto two = hn::Add(hn::LowerHalf(d2, four), hn::UpperHalf(d2, four));
  return hn::GetLane(two) + hn::GetLane(hn::Reverse(d2, two));
#else
  HWY_ALIGN double at[kLanes];
  for (size_t j = 0; j < kVectors; ++j) hn::Store(part[j], d, at + j * kWidth);
  return ((at[0] + at[4]) + (at[2] + at[6])) + ((at[1] + at[5]) + (at[3] + at[7]));
#endif
}

ExpSum ApplyExp(double* scores, size_t count, double top) {
  const D d;
  const V high = hn::Set(d, top);
  V below[kVectors];
  for (V& part : below) part = hn::Zero(d);
  size_t ties = 0;
  ForEights(count, [&](size_t j, size_t place, size_t size) HWY_ATTR {
    const V s = LoadFirst(d, scores + place, size), e = Exp(d, hn::Sub(s, high));
    const auto tie = hn::Eq(s, high);
    StoreFirst(d, e, scores + place, size);
    below[j] = hn::Add(below[j], hn::IfThenZeroElse(tie, e));
    ties += hn::CountTrue(d, tie);
  });
  return {SumOfEight(d, below), static_cast<double>(ties)};
}

void Multiply(double* values, size_t count, double factor) {
  const D d;
  ForEights(count, [&](size_t, size_t place, size_t size) HWY_ATTR {
    StoreFirst(d, hn::Mul(LoadFirst(d, values + place, size), hn::Set(d, factor)), values + place, size);
  });
}

// All eights of a row stay in registers: what is stored in parts and loaded as a whole has to wait.
template <size_t Eights>
HWY_INLINE TopAndRest Residuals(double* scores, size_t count, double least, size_t label, double factor) {
  const D d;
  constexpr size_t vectors = Eights * kVectors;
  V s[vectors], below[kVectors], top = hn::Set(d, least);
  const V last = hn::Set(d, static_cast<double>(count)), none = hn::Set(d, -HUGE_VAL);
  for (size_t j = 0; j < vectors; ++j) {
    s[j] = hn::LoadU(d, scores + j * kWidth);
    if (j + kVectors >= vectors)
      s[j] = hn::IfThenElse(hn::Lt(hn::Iota(d, static_cast<double>(j * kWidth)), last), s[j], none);
    top = hn::IfThenElse(hn::Gt(s[j], top), s[j], top);
  }
  const V high = hn::MaxOfLanes(d, top);
  size_t ties = 0;
  for (size_t j = 0; j < vectors; ++j) {
    const auto tie = hn::Eq(s[j], high);
    s[j] = Exp(d, hn::Sub(s[j], high));
    ties += hn::CountTrue(d, tie);
    const V counted = hn::IfThenZeroElse(tie, s[j]);
    below[j % kVectors] = j < kVectors ? counted : hn::Add(below[j % kVectors], counted);
  }
  const TopAndRest row =
      with_rest({SumOfEight(d, below), static_cast<double>(ties)}, hn::GetLane(high), least);
  const V share = hn::Set(d, 1 / (1 + row.rest)),
          own = hn::Set(d, label < count ? static_cast<double>(label) : -1.0);
  const V one = hn::Set(d, 1.0), by = hn::Set(d, factor);
  for (size_t j = 0; j < vectors; ++j) {
    const auto is_own = hn::Eq(hn::Iota(d, static_cast<double>(j * kWidth)), own);
    const V residual = hn::Sub(hn::Mul(s[j], share), hn::IfThenElseZero(is_own, one));
    hn::StoreU(hn::Mul(residual, by), d, scores + j * kWidth);
  }
  return row;
}

TopAndRest AnyResiduals(double* scores, size_t count, double least, size_t label, double factor) {
  if (count <= kLanes) return Residuals<1>(scores, count, least, label, factor);
  if (count <= 2 * kLanes) return Residuals<2>(scores, count, least, label, factor);
  if (count <= 3 * kLanes) return Residuals<3>(scores, count, least, label, factor);
  const double top = Top(scores, count, least);
  const TopAndRest row = with_rest(ApplyExp(scores, count, top), top, least);
  std::fill(scores + count, scores + (count + kLanes - 1) / kLanes * kLanes, 0.0);
  Multiply(scores, count, 1 / (1 + row.rest));
  if (label < count) scores[label] -= 1;
  Multiply(scores, count, factor);
  return row;
}

}  // namespace HWY_NAMESPACE
}  // namespace lazylogit::math
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lazylogit::math {
namespace {

HWY_EXPORT(AnyResiduals);

}  // namespace

double apply_softmax_residuals(double* scores, std::size_t count, ReferenceClass reference, std::size_t label,
                               double factor) noexcept {
  const double own = label < count ? scores[label] : 0.0;
  const double least = reference == ReferenceClass::present ? 0.0 : -HUGE_VAL;
  const TopAndRest row = HWY_DYNAMIC_DISPATCH(AnyResiduals)(scores, count, least, label, factor);
  return -LogNormalizer{row.top, std::log1p(row.rest)}.log_probability(own);
}

}  // namespace lazylogit::math
#endif
