#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lazylogit/optim/stochastic/kernels/cauchy_series.hpp"

// Plain x86-64, AVX2 and AVX-512 (or NEON): the steps that matter.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lazylogit/optim/stochastic/kernels/row_kernels.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#ifndef LAZYLOGIT_ROW_KERNEL_TABLE
#define LAZYLOGIT_ROW_KERNEL_TABLE
namespace lazylogit::optim {

// Everything one instruction set offers, by ValueType.
struct KernelTable {
  PlainKernels plain[3];
  ClockedKernels<prior::Laplace> clocked_laplace[3];
  ClockedKernels<prior::ElasticNet> clocked_elastic_net[3];
  ClockedKernels<prior::Cauchy> clocked_cauchy[3];
  WideKernels<prior::Uniform> wide_uniform[3];
  WideKernels<prior::Laplace> wide_laplace[3];
  WideKernels<prior::ElasticNet> wide_elastic_net[3];
  WideKernels<prior::Cauchy> wide_cauchy[3];
};

}  // namespace lazylogit::optim
#endif

HWY_BEFORE_NAMESPACE();
namespace lazylogit::optim {
namespace HWY_NAMESPACE {

#include "lazylogit/optim/stochastic/kernels/flow_lanes.inc"
#include "lazylogit/optim/stochastic/kernels/one_vector_rows.inc"
#include "lazylogit/optim/stochastic/kernels/wide_rows.inc"
//
#include "lazylogit/optim/stochastic/kernels/cauchy_rows.inc"

template <class P, class Value>
WideKernels<P> Wide() {
  if constexpr (std::is_same_v<P, prior::Cauchy>)
    return {CauchyCatchUp<Value>, AllWideTimes<P>, WideAdd<P, Value>};
  else
    return {WideCatchUp<P, Value>, AllWideTimes<P>, WideAdd<P, Value>};
}

const KernelTable* Table() {
  static const KernelTable table = {
      {Plain<data::One>(), Plain<float>(), Plain<double>()},
      {Clocked<prior::Laplace, data::One>(), Clocked<prior::Laplace, float>(),
       Clocked<prior::Laplace, double>()},
      {Clocked<prior::ElasticNet, data::One>(), Clocked<prior::ElasticNet, float>(),
       Clocked<prior::ElasticNet, double>()},
      {Clocked<prior::Cauchy, data::One>(), Clocked<prior::Cauchy, float>(),
       Clocked<prior::Cauchy, double>()},
      {Wide<prior::Uniform, data::One>(), Wide<prior::Uniform, float>(), Wide<prior::Uniform, double>()},
      {Wide<prior::Laplace, data::One>(), Wide<prior::Laplace, float>(), Wide<prior::Laplace, double>()},
      {Wide<prior::ElasticNet, data::One>(), Wide<prior::ElasticNet, float>(),
       Wide<prior::ElasticNet, double>()},
      {Wide<prior::Cauchy, data::One>(), Wide<prior::Cauchy, float>(), Wide<prior::Cauchy, double>()}};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace lazylogit::optim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lazylogit::optim {
namespace {

HWY_EXPORT(Table);
const KernelTable& table() { return *HWY_DYNAMIC_DISPATCH(Table)(); }

}  // namespace

PlainKernels plain_kernels(ValueType type) { return table().plain[static_cast<int>(type)]; }

template <>
ClockedKernels<prior::Laplace> clocked_kernels<prior::Laplace>(ValueType type) {
  return table().clocked_laplace[static_cast<int>(type)];
}
template <>
ClockedKernels<prior::ElasticNet> clocked_kernels<prior::ElasticNet>(ValueType type) {
  return table().clocked_elastic_net[static_cast<int>(type)];
}
template <>
ClockedKernels<prior::Cauchy> clocked_kernels<prior::Cauchy>(ValueType type) {
  return table().clocked_cauchy[static_cast<int>(type)];
}
template <>
WideKernels<prior::Uniform> wide_kernels<prior::Uniform>(ValueType type) {
  return table().wide_uniform[static_cast<int>(type)];
}
template <>
WideKernels<prior::Laplace> wide_kernels<prior::Laplace>(ValueType type) {
  return table().wide_laplace[static_cast<int>(type)];
}
template <>
WideKernels<prior::ElasticNet> wide_kernels<prior::ElasticNet>(ValueType type) {
  return table().wide_elastic_net[static_cast<int>(type)];
}
template <>
WideKernels<prior::Cauchy> wide_kernels<prior::Cauchy>(ValueType type) {
  return table().wide_cauchy[static_cast<int>(type)];
}

}  // namespace lazylogit::optim
#endif
