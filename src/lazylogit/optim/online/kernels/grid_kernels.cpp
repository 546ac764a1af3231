#include "lazylogit/optim/online/kernels/grid_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// Plain x86-64, AVX2 and AVX-512 (or NEON): the steps that matter.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lazylogit/optim/online/kernels/grid_kernels.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lazylogit::optim::grid_lanes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;

// b after a flow of time `time`, for priors of these strengths.
HWY_INLINE HWY_ATTR V Flowed(D d, GridPrior prior, const double* strengths, V b, V time) {
  const V strength = hn::LoadU(d, strengths);
  if (prior == GridPrior::laplace) {
    const V length = hn::Max(hn::Zero(d), hn::Sub(hn::Abs(b), hn::Mul(strength, time)));
    return hn::CopySign(length, b);
  }
  const V a = hn::Mul(time, strength), one = hn::Set(d, 1.0);
  V series = hn::Sub(hn::Set(d, 1.0 / 6), hn::Mul(a, hn::Set(d, 1.0 / 24)));
  series = hn::Sub(hn::Set(d, 0.5), hn::Mul(a, series));
  series = hn::Sub(one, hn::Mul(a, series));
  series = hn::Sub(one, hn::Mul(a, series));
  const V shrunk = hn::Mul(b, series);
  const auto is_short = hn::Lt(a, hn::Set(d, 1e-3));
  if (hn::AllTrue(d, is_short)) return shrunk;
  double values[8], times[8], results[8];
  hn::StoreU(b, d, values);
  hn::StoreU(a, d, times);
  hn::StoreU(shrunk, d, results);
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, hn::AndNot(is_short, hn::Ne(b, hn::Zero(d))), bits);
  for (unsigned left = bits[0]; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    results[i] = values[i] * std::exp(-times[i]);
  }
  return hn::LoadU(d, results);
}

HWY_INLINE HWY_ATTR void CatchUp(double* r, std::size_t lanes, GridPrior prior, const double* strengths,
                                 double first, double now) {
  const D d;
  double& clock = r[2 * lanes + 1];
  const double elapsed = now - clock;
  clock = now;
  if (elapsed == 0) return;
  const V inverse = hn::Set(d, r[2 * lanes]), begin = hn::Set(d, first);
  for (std::size_t i = 0; i < lanes; i += hn::Lanes(d)) {
    const V g = hn::LoadU(d, r + lanes + i), b = hn::LoadU(d, r + i);
    const V root = hn::Sqrt(hn::Add(begin, g));
    const V speed = hn::Min(hn::Mul(inverse, hn::Div(inverse, root)), hn::Set(d, 1e300));
    hn::StoreU(Flowed(d, prior, strengths + i, b, hn::Mul(speed, hn::Set(d, elapsed))), d, r + i);
  }
}

HWY_INLINE double Scaled(double* r, double x, std::size_t lanes) {
  double& inverse = r[2 * lanes];
  const double u = x * inverse;
  if (std::abs(u) <= 1 && inverse != 0) [[likely]]
    return u;
  const double now = std::min(1 / std::abs(x), 1e300);
  if (inverse != 0) {
    const double shrink = now / inverse;
    for (std::size_t i = 0; i < lanes; ++i) {
      r[i] *= shrink;
      r[lanes + i] *= shrink * shrink;
    }
  }
  inverse = now;
  return x * now;
}

HWY_ATTR double Look(const GridRow& row, GridPrior prior, const double* strengths, double now, double* units,
                     double* scores) {
  const D d;
  double norm = 0;
  for (std::size_t k = 0; k < row.size; ++k) {
    double* const r = row.records[k];
    if (k < row.penalized) CatchUp(r, row.lanes, prior, strengths, row.first_squares, now);
    const double u = Scaled(r, row.x[k], row.lanes);
    units[k] = u;
    norm += u * u;
    const V x = hn::Set(d, row.x[k]);
    for (std::size_t i = 0; i < row.lanes; i += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, scores + i), hn::Mul(x, hn::LoadU(d, r + i))), d, scores + i);
  }
  return norm;
}

HWY_ATTR void Weigh(const GridRow& row, const double* units, const double* added, double* moves,
                    double* steps) {
  const D d;
  const V begin = hn::Set(d, row.first_squares), one = hn::Set(d, 1.0);
  for (std::size_t k = 0; k < row.size; ++k) {
    double* const r = row.records[k];
    const V u = hn::Set(d, units[k]), u2 = hn::Set(d, units[k] * units[k]);
    const V inverse = hn::Set(d, r[2 * row.lanes]);
    for (std::size_t i = 0; i < row.lanes; i += hn::Lanes(d)) {
      double* const g = r + row.lanes + i;
      const V sum = hn::Add(hn::LoadU(d, g), hn::Mul(hn::LoadU(d, added + i), u2));
      hn::StoreU(sum, d, g);
      const V v = hn::Div(one, hn::Sqrt(hn::Add(begin, sum)));
      hn::StoreU(hn::Add(hn::LoadU(d, moves + i), hn::Mul(v, u2)), d, moves + i);
      hn::StoreU(hn::Mul(hn::Mul(v, u), inverse), d, steps + k * row.lanes + i);
    }
  }
}

HWY_ATTR void Move(const GridRow& row, const double* by, const double* steps) {
  const D d;
  for (std::size_t k = 0; k < row.size; ++k) {
    double* const r = row.records[k];
    for (std::size_t i = 0; i < row.lanes; i += hn::Lanes(d)) {
      const V step = hn::Mul(hn::LoadU(d, by + i), hn::LoadU(d, steps + k * row.lanes + i));
      hn::StoreU(hn::Sub(hn::LoadU(d, r + i), step), d, r + i);
    }
  }
}

GridKernels Table() { return {Look, Weigh, Move}; }

}  // namespace HWY_NAMESPACE
}  // namespace lazylogit::optim::grid_lanes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lazylogit::optim {
namespace grid_lanes {
HWY_EXPORT(Table);
}  // namespace grid_lanes

GridKernels grid_kernels() {
  using namespace grid_lanes;
  return HWY_DYNAMIC_DISPATCH(Table)();
}

}  // namespace lazylogit::optim
#endif
