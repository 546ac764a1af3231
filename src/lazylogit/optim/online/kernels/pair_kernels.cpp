#include "lazylogit/optim/online/kernels/pair_kernels.hpp"

#include <cmath>

// Plain x86-64, AVX2 and AVX-512 (or NEON): the steps that matter.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lazylogit/optim/online/kernels/pair_kernels.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lazylogit::optim::pair_lanes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR void Rates(std::size_t n, double first, double added, const double* u, const double* inverses,
                    double* sums, double* moves, double* steps) {
  const hn::ScalableTag<double> d;
  const auto one = hn::Set(d, 1.0), begin = hn::Set(d, first), more = hn::Set(d, added);
  std::size_t k = 0;
  for (; k + hn::Lanes(d) <= n; k += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, u + k), square = hn::Mul(x, x);
    const auto sum = hn::Add(hn::LoadU(d, sums + k), hn::Mul(more, square));
    const auto v = hn::Div(one, hn::Sqrt(hn::Add(begin, sum)));
    hn::StoreU(sum, d, sums + k);
    hn::StoreU(hn::Mul(v, square), d, moves + k);
    hn::StoreU(hn::Mul(hn::Mul(v, x), hn::LoadU(d, inverses + k)), d, steps + k);
  }
  for (; k < n; ++k) {
    const double square = u[k] * u[k], sum = sums[k] + added * square;
    const double v = 1 / std::sqrt(first + sum);
    sums[k] = sum;
    moves[k] = v * square;
    steps[k] = v * u[k] * inverses[k];
  }
}

PairRates Table() { return Rates; }

}  // namespace HWY_NAMESPACE
}  // namespace lazylogit::optim::pair_lanes
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lazylogit::optim {
namespace pair_lanes {
HWY_EXPORT(Table);
}  // namespace pair_lanes

PairRates pair_rates() {
  using namespace pair_lanes;
  return HWY_DYNAMIC_DISPATCH(Table)();
}

}  // namespace lazylogit::optim
#endif
