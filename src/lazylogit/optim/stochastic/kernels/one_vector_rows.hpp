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

// Reads the records of Lanes(d) features into a vector of coefficients and one of clocks. Whole pairs are loaded and
// joined in registers: a gather would touch every record twice, and going through memory stalls on narrow stores.
template <class D>
HWY_INLINE void LoadPairs(D d, const double* records, const FeatureId* ids, hn::Vec<D>& b,
                          hn::Vec<D>& clock) {
#if HWY_TARGET == HWY_SCALAR
  b = hn::Load(d, records + 2 * size_t{ids[0]});
  clock = hn::Load(d, records + 2 * size_t{ids[0]} + 1);
#else
  const hn::CappedTag<double, 2> d2;
  const auto pair = [&](size_t i) HWY_ATTR { return hn::Load(d2, records + 2 * size_t{ids[i]}); };
  hn::Vec<D> even, odd;
  if constexpr (hn::MaxLanes(D()) == 2) {
    even = pair(0);
    odd = pair(1);
  } else if constexpr (hn::MaxLanes(D()) == 4) {
    even = hn::Combine(d, pair(2), pair(0));
    odd = hn::Combine(d, pair(3), pair(1));
  } else {
    static_assert(hn::MaxLanes(D()) == 8);
    const hn::Half<D> d4;
    even = hn::Combine(d, hn::Combine(d4, pair(6), pair(4)), hn::Combine(d4, pair(2), pair(0)));
    odd = hn::Combine(d, hn::Combine(d4, pair(7), pair(5)), hn::Combine(d4, pair(3), pair(1)));
  }
  b = hn::InterleaveLower(d, even, odd);
  clock = hn::InterleaveUpper(d, even, odd);
#endif
}

// The reverse.
template <class D>
HWY_INLINE void StorePairs(D d, hn::Vec<D> b, hn::Vec<D> clock, double* records, const FeatureId* ids) {
#if HWY_TARGET == HWY_SCALAR
  hn::Store(b, d, records + 2 * size_t{ids[0]});
  hn::Store(clock, d, records + 2 * size_t{ids[0]} + 1);
#else
  const hn::CappedTag<double, 2> d2;
  const auto even = hn::InterleaveLower(d, b, clock), odd = hn::InterleaveUpper(d, b, clock);
  const auto store = [&](auto pair, size_t i) HWY_ATTR { hn::Store(pair, d2, records + 2 * size_t{ids[i]}); };
  if constexpr (hn::MaxLanes(D()) == 2) {
    store(even, 0);
    store(odd, 1);
  } else if constexpr (hn::MaxLanes(D()) == 4) {
    store(hn::LowerHalf(d2, even), 0);
    store(hn::LowerHalf(d2, odd), 1);
    store(hn::UpperHalf(d2, even), 2);
    store(hn::UpperHalf(d2, odd), 3);
  } else {
    const hn::Half<D> d4;
    const auto low_even = hn::LowerHalf(d4, even), high_even = hn::UpperHalf(d4, even);
    const auto low_odd = hn::LowerHalf(d4, odd), high_odd = hn::UpperHalf(d4, odd);
    store(hn::LowerHalf(d2, low_even), 0);
    store(hn::LowerHalf(d2, low_odd), 1);
    store(hn::UpperHalf(d2, low_even), 2);
    store(hn::UpperHalf(d2, low_odd), 3);
    store(hn::LowerHalf(d2, high_even), 4);
    store(hn::LowerHalf(d2, high_odd), 5);
    store(hn::UpperHalf(d2, high_even), 6);
    store(hn::UpperHalf(d2, high_odd), 7);
  }
#endif
}

template <class P, class Value>
double CatchUp(const P& prior, const double* records, const RowEntries& row, double now, double* caught) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d), n = row.size;
  const auto* values = static_cast<const Value*>(row.values);
  const FlowLanes<P> flow(prior);
  const V clock = hn::Set(d, now);
  V sum = hn::Zero(d);
  const auto caught_up = [&](const FeatureId* ids, size_t k) HWY_ATTR {
    V b, from;
    LoadPairs(d, records, ids, b, from);
    const V after = flow.Apply(d, b, flow.Times(d, hn::Sub(clock, from)));
    hn::Store(after, d, caught + k);
    return after;
  };
  size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    sum = hn::MulAdd(caught_up(row.ids + k, k), LoadValues(d, values, k), sum);
  if (k < n) {
    FeatureId last[hn::MaxLanes(d)];
    for (size_t i = 0; i < lanes; ++i) last[i] = row.ids[std::min(k + i, n - 1)];
    sum = hn::MulAdd(caught_up(last, k), LoadLastValues(d, values, k, n - k), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class Value>
void WriteBack(double* records, const RowEntries& row, double now, double step, const double* caught) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d), n = row.size;
  const auto* values = static_cast<const Value*>(row.values);
  const auto clock = hn::Set(d, now), factor = hn::Set(d, step);
  size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    StorePairs(d, hn::MulAdd(factor, LoadValues(d, values, k), hn::Load(d, caught + k)), clock, records,
               row.ids + k);
  for (; k < n; ++k) {
    double* record = records + 2 * size_t{row.ids[k]};
    record[0] = caught[k] + step * ValueAt(values, k);
    record[1] = now;
  }
}

template <class Value>
PlainKernels Plain() {
  return {Dot<Value>, Add<1, Value>};
}
template <class P, class Value>
ClockedKernels<P> Clocked() {
  return {CatchUp<P, Value>, WriteBack<Value>, Add<2, Value>};
}
