// Flows of priors for a vector of coefficients at a time. Included once per instruction set by row_kernels.cpp,
// inside Highway's target namespace; there is no include guard on purpose.
//
// A flow comes in two parts: times(t) does what depends on the elapsed times alone, apply(b, …) the rest, so that
// several coefficients with one clock share the first.

namespace hn = hwy::HWY_NAMESPACE;

// The Taylor series of e^x − 1 up to x^Degree.
template <int Degree, class D, class V>
HWY_INLINE V Expm1Series(D d, V x) {
  constexpr double inverse_factorials[] = {
      1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,      1.0 / 720,
      1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
  V p = hn::Set(d, inverse_factorials[Degree]);
  for (int i = Degree - 1; i >= 2; --i) p = hn::MulAdd(p, x, hn::Set(d, inverse_factorials[i]));
  return hn::MulAdd(hn::Mul(x, x), p, x);
}

// expm1(−a) for a ≥ 0, within 2 units in the last place. Times between visits are short: a few terms do for nearly
// all of them (truncation below 2^-56 of the result).
template <class D, class V>
HWY_INLINE V Expm1Negative(D d, V a) {
  const auto c = [&](double value) HWY_ATTR { return hn::Set(d, value); };
  const V x = hn::Neg(a);
  if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(a, c(1.0 / 32))))) return Expm1Series<8>(d, x);
  if (hn::AllTrue(d, hn::Lt(a, c(0.25)))) return Expm1Series<12>(d, x);
  // x = k ln 2 + r:  e^x − 1 = 2^k (e^r − 1) + (2^k − 1)
  const V bounded = hn::Max(x, c(-708.0));
  const V k = hn::Round(hn::Mul(bounded, c(1.4426950408889634074)));
  V r = hn::NegMulAdd(k, c(6.93147180369123816490e-01), bounded);
  r = hn::NegMulAdd(k, c(1.90821492927058770002e-10), r);
  V p = hn::MulAdd(r, c(1.0 / 6227020800.0), c(1.0 / 479001600.0));
  p = hn::MulAdd(p, r, c(1.0 / 39916800.0));
  p = hn::MulAdd(p, r, c(1.0 / 3628800.0));
  p = hn::MulAdd(p, r, c(1.0 / 362880.0));
  p = hn::MulAdd(p, r, c(1.0 / 40320.0));
  p = hn::MulAdd(p, r, c(1.0 / 5040.0));
  p = hn::MulAdd(p, r, c(1.0 / 720.0));
  p = hn::MulAdd(p, r, c(1.0 / 120.0));
  p = hn::MulAdd(p, r, c(1.0 / 24.0));
  p = hn::MulAdd(p, r, c(1.0 / 6.0));
  p = hn::MulAdd(p, r, c(0.5));
  p = hn::MulAdd(hn::Mul(r, r), p, r);
  // 2^k through the exponent bits: k + 1023 sits in the low bits of k + 2^52 + 1023.
  const hn::RebindToUnsigned<D> du;
  const V power = hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, hn::Add(k, c(0x1p52 + 1023.0)))));
  return hn::MulAdd(power, p, hn::Sub(power, c(1.0)));
}

template <class P>
struct FlowLanes;

template <>
struct FlowLanes<prior::Uniform> {
  explicit FlowLanes(const prior::Uniform&) {}
  template <class D, class V>
  HWY_INLINE V Apply(D, V b, V) const {
    return b;
  }
  template <class D, class V>
  HWY_INLINE V Times(D, V t) const {
    return t;
  }
};

// sign(b) max(0, |b| − l1 t)
template <>
struct FlowLanes<prior::Laplace> {
  double l1;
  explicit FlowLanes(const prior::Laplace& p) : l1(p.l1) {}
  template <class D, class V>
  HWY_INLINE V Times(D d, V t) const {
    return hn::Mul(t, hn::Set(d, l1));
  }
  template <class D, class V>
  HWY_INLINE V Apply(D d, V b, V threshold) const {
    const V magnitude = hn::Max(hn::Sub(hn::Abs(b), threshold), hn::Zero(d));
    return hn::CopySignToAbs(magnitude, b);
  }
};

// sign(b) max(0, |b| + (|b| + l1/l2) expm1(−l2 t))
template <>
struct FlowLanes<prior::ElasticNet> {
  double l2, ratio;
  explicit FlowLanes(const prior::ElasticNet& p) : l2(p.l2), ratio(p.l1 / p.l2) {}
  template <class D, class V>
  HWY_INLINE V Times(D d, V t) const {
    return Expm1Negative(d, hn::Mul(t, hn::Set(d, l2)));
  }
  template <class D, class V>
  HWY_INLINE V Apply(D d, V b, V em) const {
    const V magnitude = hn::Abs(b);
    const V after = hn::MulAdd(magnitude, em, hn::MulAdd(hn::Set(d, ratio), em, magnitude));
    return hn::CopySignToAbs(hn::Max(after, hn::Zero(d)), b);
  }
};

// b e^{−y/2} with y + v0 (1 − e^{−y}) = c, v0 = b²/λ², c = 4t/λ². With L = c/(1 + v0) and r = v0/(1 + v0) the root is
//   y = L + r/2 L² + (r²/2 − r/6) L³ + (5r²/8 − 5r/12 + 1/24) r L⁴ + O(L⁵),
// from which one step of Halley's iteration, which is cubic, reaches full precision for L < 0.06. Longer times take
// more steps; what is still out of reach is done one by one.
template <>
struct FlowLanes<prior::Cauchy> {
  double inverse_square;
  explicit FlowLanes(const prior::Cauchy& p) : inverse_square(p.inverse_square) {}
  template <class D, class V>
  HWY_INLINE V Times(D d, V t) const {
    return hn::Mul(t, hn::Set(d, 4 * inverse_square));
  }
  template <class D, class V>
  HWY_INLINE V Apply(D d, V b, V c) const {
    const auto k = [&](double value) HWY_ATTR { return hn::Set(d, value); };
    const V one = k(1.0), half = k(0.5);
    const V v0 = hn::Mul(hn::Mul(b, b), k(inverse_square));
    const V inverse = hn::Div(one, hn::Add(one, v0));
    const V low = hn::Mul(c, inverse), r = hn::Mul(v0, inverse);
    // Written so that NaN, too, goes the careful way.
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::And(hn::Lt(low, k(0.06)), hn::Lt(v0, k(1e150))))))
      return Iterate(d, b, c, v0, low);
    V series = hn::MulAdd(hn::MulAdd(k(0.625), r, k(-5.0 / 12)), r, k(1.0 / 24));
    series = hn::MulAdd(series, low, hn::MulAdd(half, r, k(-1.0 / 6)));
    series = hn::MulAdd(series, low, half);
    const V y = hn::MulAdd(hn::Mul(series, r), hn::Mul(low, low), low);
    const V em_half = Expm1Series<9>(d, hn::Mul(k(-0.5), y));  // e^{−y/2} − 1; y < 1/8
    const V em = hn::Mul(em_half, hn::Add(em_half, k(2.0)));
    const V decay = hn::MulAdd(v0, em, v0);
    const V slope = hn::Add(one, decay);
    const V f = hn::Sub(hn::NegMulAdd(v0, em, y), c);
    const V step = hn::Div(hn::Mul(f, slope), hn::MulAdd(slope, slope, hn::Mul(half, hn::Mul(f, decay))));
    // e^{−(y − step)/2} − 1, with e^{step/2} − 1 = step/2 to rounding
    const V last = hn::MulAdd(hn::Add(one, em_half), hn::Mul(half, step), em_half);
    return hn::MulAdd(b, last, b);
  }

 private:
  // From the lower end of the bracket the iteration rises to the root.
  template <class D, class V>
  HWY_NOINLINE V Iterate(D d, V b, V c, V v0, V low) const {
    const auto k = [&](double value) HWY_ATTR { return hn::Set(d, value); };
    const V one = k(1.0), half = k(0.5);
    V y = low;
    if (hn::AllTrue(d, hn::And(hn::Lt(c, k(8.0)), hn::Lt(v0, k(1e6)))))
      for (int i = 0; i < 6; ++i) {
        const V em = Expm1Negative(d, y);
        const V decay = hn::MulAdd(v0, em, v0);
        const V slope = hn::Add(one, decay);
        const V f = hn::Sub(hn::NegMulAdd(v0, em, y), c);
        const V step = hn::Div(hn::Mul(f, slope), hn::MulAdd(slope, slope, hn::Mul(half, hn::Mul(f, decay))));
        y = hn::Sub(y, step);
        // Convergence is cubic: after a step this small nothing is left to gain.
        if (hn::AllTrue(d, hn::Le(hn::Abs(step), hn::Mul(y, k(1e-6)))))
          return hn::MulAdd(b, Expm1Negative(d, hn::Mul(half, y)), b);
      }
    return OneByOne(d, b, c);
  }

  template <class D, class V>
  HWY_NOINLINE V OneByOne(D d, V b, V c) const {
    HWY_ALIGN double lanes[2][hn::MaxLanes(D())];
    hn::Store(b, d, lanes[0]);
    hn::Store(c, d, lanes[1]);
    for (size_t i = 0; i < hn::Lanes(d); ++i)
      lanes[0][i] *=
          std::exp(-0.5 * prior::cauchy_log_ratio(inverse_square * lanes[0][i] * lanes[0][i], lanes[1][i]));
    return hn::Load(d, lanes[0]);
  }
};
