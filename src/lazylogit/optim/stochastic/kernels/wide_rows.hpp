// Rows against several vectors of coefficients at once. Included per instruction set, see flow_lanes.hpp.

constexpr size_t kAhead = 8;  // entries between a prefetch and its use
template <class P>
constexpr bool kClocked = !std::is_same_v<P, prior::Uniform>;

// Catches up columns [0, Blocks · Lanes(d)) of the row's records and adds their products to the scores. `times` is
// what the flow made of the elapsed times.
template <class P, class Value, size_t Blocks, class D>
HWY_INLINE void WideStrip(D d, const P& prior, double* records, size_t width, const RowEntries& row,
                          const double* times, double* scores) {
  using V = hn::Vec<D>;
  const size_t lanes = hn::Lanes(d);
  const auto* values = static_cast<const Value*>(row.values);
  const FlowLanes<P> flow(prior);
  V sums[Blocks];
  for (size_t j = 0; j < Blocks; ++j) sums[j] = hn::Load(d, scores + j * lanes);
  for (size_t k = 0; k < row.size; ++k) {
    if (k + kAhead < row.size) {
      const double* next = records + size_t{row.ids[k + kAhead]} * width;
      for (size_t j = 0; j < Blocks * lanes; j += 8) __builtin_prefetch(next + j);
    }
    double* record = records + size_t{row.ids[k]} * width;
    const V x = hn::Set(d, ValueAt(values, k));
    if constexpr (kClocked<P>) {
      const V time = hn::Set(d, times[k]);
      for (size_t j = 0; j < Blocks; ++j) {
        const V b = flow.Apply(d, hn::Load(d, record + j * lanes), time);
        hn::Store(b, d, record + j * lanes);
        sums[j] = hn::MulAdd(x, b, sums[j]);
      }
    } else {
      for (size_t j = 0; j < Blocks; ++j) sums[j] = hn::MulAdd(x, hn::Load(d, record + j * lanes), sums[j]);
    }
  }
  for (size_t j = 0; j < Blocks; ++j) hn::Store(sums[j], d, scores + j * lanes);
}

// Reads the clocks of a row ahead of its coefficients: what depends on time alone is done for several features at
// once, and the cache lines are on their way.
template <class P>
HWY_INLINE void WideTimes(const P& prior, const double* records, size_t width, const RowEntries& row,
                          double now, double* times) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t k = 0; k < row.size; ++k) {
    const double* record = records + size_t{row.ids[k]} * width;
    times[k] = now - record[width - 1];
  }
  for (size_t k = row.size; k < row.size + lanes; ++k) times[k] = 0;
  const FlowLanes<P> flow(prior);
  for (size_t k = 0; k < row.size; k += lanes) hn::Store(flow.Times(d, hn::Load(d, times + k)), d, times + k);
}

// Calls body(blocks as a constant, first column) for strips that cover `width` columns.
template <class D, class Body>
HWY_INLINE void ForStrips(D d, size_t width, Body&& body) {
  const size_t lanes = hn::Lanes(d);
  size_t at = 0;
  for (; width - at > 4 * lanes; at += 4 * lanes) body(std::integral_constant<size_t, 4>{}, at);
  switch ((width - at) / lanes) {
    case 1:
      return body(std::integral_constant<size_t, 1>{}, at);
    case 2:
      return body(std::integral_constant<size_t, 2>{}, at);
    case 3:
      return body(std::integral_constant<size_t, 3>{}, at);
    default:
      return body(std::integral_constant<size_t, 4>{}, at);
  }
}

template <class P, class Value>
void WideCatchUp(const P& prior, double* records, size_t width, const RowEntries& row, double now,
                 double* scores, double* times) {
  if constexpr (kClocked<P>) WideTimes(prior, records, width, row, now, times);
  const auto run = [&](auto d) HWY_ATTR {
    ForStrips(d, width, [&](auto blocks, size_t at) HWY_ATTR {
      WideStrip<P, Value, decltype(blocks)::value>(d, prior, records + at, width, row, times, scores + at);
    });
  };
  const hn::ScalableTag<double> whole;
  if (width % hn::Lanes(whole) == 0)
    run(whole);
  else
    run(hn::CappedTag<double, 2>());
  // The clocks went through the arithmetic of the coefficients beside them; this sets them right.
  if constexpr (kClocked<P>)
    for (size_t k = 0; k < row.size; ++k) records[size_t{row.ids[k]} * width + width - 1] = now;
}

template <class Value, size_t Blocks, class D>
HWY_INLINE void AddStrip(D d, double* records, size_t width, const RowEntries& row, const double* step) {
  using V = hn::Vec<D>;
  const size_t lanes = hn::Lanes(d);
  const auto* values = static_cast<const Value*>(row.values);
  V steps[Blocks];
  for (size_t j = 0; j < Blocks; ++j) steps[j] = hn::Load(d, step + j * lanes);
  for (size_t k = 0; k < row.size; ++k) {
    double* record = records + size_t{row.ids[k]} * width;
    const V x = hn::Set(d, ValueAt(values, k));
    for (size_t j = 0; j < Blocks; ++j)
      hn::Store(hn::MulAdd(x, steps[j], hn::Load(d, record + j * lanes)), d, record + j * lanes);
  }
}

template <class Value>
void WideAdd(double* records, size_t width, const RowEntries& row, const double* step) {
  const auto run = [&](auto d) HWY_ATTR {
    ForStrips(d, width, [&](auto blocks, size_t at) HWY_ATTR {
      AddStrip<Value, decltype(blocks)::value>(d, records + at, width, row, step + at);
    });
  };
  const hn::ScalableTag<double> whole;
  if (width % hn::Lanes(whole) == 0)
    run(whole);
  else
    run(hn::CappedTag<double, 2>());
}

template <class P, class Value>
WideKernels<P> Wide() {
  return {WideCatchUp<P, Value>, WideAdd<Value>};
}
