// Rows against one vector of coefficients. Included per instruction set, see flow_lanes.hpp.

// x_k … as a vector of doubles.
template <class D, class Value>
HWY_INLINE hn::Vec<D> LoadValues(D d, const Value* values, size_t k) {
  if constexpr (std::is_same_v<Value, data::One>) {
    return hn::Set(d, 1.0);
  } else if constexpr (std::is_same_v<Value, float>) {
    const hn::Rebind<float, D> df;
    return hn::PromoteTo(d, hn::LoadU(df, values + k));
  } else {
    return hn::LoadU(d, values + k);
  }
}

// The same for the last `count` < Lanes(d) entries of a row, 0 beyond: nothing is read past the end.
template <class D, class Value>
HWY_INLINE hn::Vec<D> LoadLastValues(D d, const Value* values, size_t k, size_t count) {
  HWY_ALIGN double last[hn::MaxLanes(D())] = {};
  for (size_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<Value, data::One>)
      last[i] = 1.0;
    else
      last[i] = static_cast<double>(values[k + i]);
  }
  return hn::Load(d, last);
}

template <class Value>
HWY_INLINE double ValueAt(const Value* values, size_t k) {
  if constexpr (std::is_same_v<Value, data::One>)
    return 1.0;
  else
    return static_cast<double>(values[k]);
}

// Four sums that do not wait for each other; a gather instruction is no quicker on the machines tried.
template <class Value>
double Dot(const double* b, const RowEntries& row) {
  const auto* values = static_cast<const Value*>(row.values);
  double s[4] = {0, 0, 0, 0};
  size_t k = 0;
  for (; k + 4 <= row.size; k += 4)
    for (size_t u = 0; u < 4; ++u) s[u] += ValueAt(values, k + u) * b[row.ids[k + u]];
  for (; k < row.size; ++k) s[0] += ValueAt(values, k) * b[row.ids[k]];
  return (s[0] + s[1]) + (s[2] + s[3]);
}

template <size_t Stride, class Value>
void Add(double* b, const RowEntries& row, double step) {
  const auto* values = static_cast<const Value*>(row.values);
  for (size_t k = 0; k < row.size; ++k) b[Stride * row.ids[k]] += step * ValueAt(values, k);
}

template <class P, class Value>
double CatchUp(const P& prior, const double* records, const RowEntries& row, double now, RowScratch scratch) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d), n = row.size;
  const auto* values = static_cast<const Value*>(row.values);
  // Collected first and used later: loads that follow these narrow stores at once would stall.
  for (size_t k = 0; k < n; ++k)
    std::memcpy(scratch.pairs + 2 * k, records + 2 * size_t{row.ids[k]}, 16);
  for (size_t k = n; k < n + lanes; ++k) {
    scratch.pairs[2 * k] = 0;
    scratch.pairs[2 * k + 1] = now;
  }
  const FlowLanes<P> flow(prior);
  const auto clock = hn::Set(d, now);
  auto sum = hn::Zero(d);
  const auto caught_up = [&](size_t k) HWY_ATTR {
    hn::Vec<decltype(d)> b, from;
    hn::LoadInterleaved2(d, scratch.pairs + 2 * k, b, from);
    const auto after = flow.Apply(d, b, flow.Times(d, hn::Sub(clock, from)));
    hn::Store(after, d, scratch.caught + k);
    return after;
  };
  size_t k = 0;
  for (; k + lanes <= n; k += lanes) sum = hn::MulAdd(caught_up(k), LoadValues(d, values, k), sum);
  if (k < n) sum = hn::MulAdd(caught_up(k), LoadLastValues(d, values, k, n - k), sum);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class Value>
void WriteBack(double* records, const RowEntries& row, double now, double step, RowScratch scratch) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d), n = row.size;
  const auto* values = static_cast<const Value*>(row.values);
  const auto clock = hn::Set(d, now), factor = hn::Set(d, step);
  size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    hn::StoreInterleaved2(hn::MulAdd(factor, LoadValues(d, values, k), hn::Load(d, scratch.caught + k)), clock, d,
                          scratch.pairs + 2 * k);
  if (k < n)
    hn::StoreInterleaved2(
        hn::MulAdd(factor, LoadLastValues(d, values, k, n - k), hn::Load(d, scratch.caught + k)), clock, d,
        scratch.pairs + 2 * k);
  for (k = 0; k < n; ++k)
    std::memcpy(records + 2 * size_t{row.ids[k]}, scratch.pairs + 2 * k, 16);
}

template <class Value>
PlainKernels Plain() {
  return {Dot<Value>, Add<1, Value>};
}
template <class P, class Value>
ClockedKernels<P> Clocked() {
  return {CatchUp<P, Value>, WriteBack<Value>, Add<2, Value>};
}
