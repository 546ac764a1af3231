#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/kernels/cauchy_series.hpp"

namespace lazylogit::optim {
namespace {

// Coefficients and elapsed times from tiny to huge, in every combination, so that vectors mix all of them.
struct Grid {
  std::vector<double> b, elapsed;
  Grid() {
    for (const double size : {0.0, 1e-200, 1e-9, 0.01, 0.7, 3.0, 250.0, 1e7, 1e80})
      for (const double time : {0.0, 1e-12, 1e-5, 0.004, 0.05, 0.3, 2.0, 40.0, 900.0})
        for (const double sign : {1.0, -1.0}) {
          b.push_back(sign * size);
          elapsed.push_back(time);
        }
  }
};
constexpr double now = 1000;

double condition(const prior::Cauchy& p, double b, double after) {
  const double v0 = p.inverse_square * b * b;
  return 1 + v0 / (1 + p.inverse_square * after * after);
}
template <class P>
double condition(const P&, double b, double after) {  // a difference of numbers of the size of b
  return after == 0 ? 1 : std::abs(b / after);
}

template <class P>
void expect_flow(const P& prior, double b, double elapsed, double actual) {
  const double expected = prior.flow(b, elapsed);
  const double tolerance =
      4e-15 * std::abs(expected) * condition(prior, b, expected) + 4e-16 * std::abs(b) * (expected == 0);
  EXPECT_NEAR(actual, expected, tolerance) << prior.name << " b=" << b << " elapsed=" << elapsed;
  EXPECT_GE(actual * b, 0);
}

template <class P>
void check_one_vector(const P& prior) {
  const Grid grid;
  const std::size_t n = grid.b.size();
  math::Vector records(2 * n), caught(n + 16);
  std::vector<FeatureId> ids(n);
  std::iota(ids.begin(), ids.end(), 0u);
  for (std::size_t i = 0; i < n; ++i) {
    records[2 * i] = grid.b[i];
    records[2 * i + 1] = now - grid.elapsed[i];
  }
  const auto kernels = clocked_kernels<P>(ValueType::ones);
  for (std::size_t size = 0; size <= n; size += size < 20 ? 1 : 29) {  // whole vectors and every kind of rest
    const RowEntries row{ids.data(), nullptr, size};
    math::Vector still = records, moved = records;
    kernels.catch_up(prior, records.data(), row, now, caught.data());
    kernels.write_back(still.data(), row, now, 0, caught.data());
    kernels.write_back(moved.data(), row, now, 0.5, caught.data());
    for (std::size_t i = 0; i < n; ++i) {
      if (i < size) {
        expect_flow(prior, grid.b[i], now - records[2 * i + 1], still[2 * i]);
        EXPECT_EQ(moved[2 * i], still[2 * i] + 0.5);
      } else {
        EXPECT_EQ(moved[2 * i], records[2 * i]);
      }
      EXPECT_EQ(moved[2 * i + 1], i < size ? now : records[2 * i + 1]);
    }
  }
}

template <class P>
void check_wide(const P& prior, std::size_t vectors, std::size_t width) {
  const Grid grid;
  const std::size_t n = grid.b.size();
  math::Vector records(width * n, 0.0), scores(width, 0.0), times(n + 16), step(width, 0.0),
      zeros(width, 0.0);
  std::vector<FeatureId> ids(n);
  std::iota(ids.begin(), ids.end(), 0u);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < vectors; ++c) records[width * i + c] = grid.b[(i + 2 * c) % n];
    records[width * i + width - 1] = now - grid.elapsed[i];
  }
  const math::Vector before = records;
  const auto kernels = wide_kernels<P>(ValueType::ones);
  const RowEntries row{ids.data(), nullptr, n};
  kernels.catch_up(prior, records.data(), width, row, {}, now, {zeros.data(), 1, scores.data()},
                   times.data());
  kernels.update(prior, records.data(), width, row, now, times.data(), step.data(), 1);
  math::Vector sums(width, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < vectors; ++c) {
      expect_flow(prior, before[width * i + c], now - before[width * i + width - 1], records[width * i + c]);
      sums[c] += records[width * i + c];
    }
    EXPECT_EQ(records[width * i + width - 1], now);
  }
  for (std::size_t c = 0; c < vectors; ++c)
    EXPECT_NEAR(scores[c], sums[c], 1e-12 * 1e80);  // the largest term
  // Scores go on from where they start, in their place or elsewhere, and are scaled.
  math::Vector unchanged = records, further(width, 0.0);
  kernels.catch_up(prior, unchanged.data(), width, row, {}, now, {scores.data(), -2, further.data()},
                   times.data());
  kernels.catch_up(prior, unchanged.data(), width, row, {}, now, {further.data(), 0.5, further.data()},
                   times.data());
  EXPECT_EQ(unchanged, records);
  for (std::size_t c = 0; c < vectors; ++c)
    EXPECT_NEAR(further[c], -0.5 * scores[c], 1e-15 * std::abs(scores[c]));
  kernels.catch_up(prior, unchanged.data(), width, {ids.data(), nullptr, 0}, row, now,
                   {zeros.data(), 3, further.data()}, times.data());
  EXPECT_EQ(further, zeros);
  // A row of a mini-batch: its times are taken again, and others have moved some of its records.
  const math::Vector caught = records;
  step[0] = 0.125;
  kernels.refresh(prior, records.data(), width, row, now, times.data());
  kernels.update(prior, records.data(), width, row, now, times.data(), step.data(), 2);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(records[width * i], caught[width * i] + 0.25);
    for (std::size_t c = 1; c < width; ++c) EXPECT_EQ(records[width * i + c], caught[width * i + c]);
  }
}

template <class P>
void check(const P& prior) {
  check_one_vector(prior);
  check_wide(prior, 3, 4);
  check_wide(prior, 7, 8);
  check_wide(prior, 20, 24);
  check_wide(prior, 40, 48);
}

template <class Value>
void check_plain(ValueType type) {
  constexpr std::size_t most = 45, features = 100;  // whole vectors and every kind of rest
  std::vector<Value> values;
  std::vector<FeatureId> ids;
  for (std::size_t k = 0; k < most; ++k) {
    values.push_back(
        static_cast<Value>(type == ValueType::ones ? 1.0 : std::sin(1.0 + static_cast<double>(k))));
    ids.push_back(static_cast<FeatureId>(k * 37 % features));
  }
  math::Vector b(features);
  for (std::size_t i = 0; i < features; ++i) b[i] = std::cos(static_cast<double>(i));
  const auto kernels = plain_kernels(type);
  for (std::size_t size = 0; size <= most; ++size) {
    const RowEntries row{ids.data(), type == ValueType::ones ? nullptr : values.data(), size};
    math::Vector expected = b, moved = b;
    double score = 0;
    for (std::size_t k = 0; k < size; ++k) {
      score += static_cast<double>(values[k]) * b[ids[k]];
      expected[ids[k]] += 0.3 * static_cast<double>(values[k]);
    }
    EXPECT_NEAR(kernels.dot(b.data(), row), score, 1e-14) << size;
    kernels.add(moved.data(), row, 0.3);
    for (std::size_t i = 0; i < features; ++i) EXPECT_NEAR(moved[i], expected[i], 4e-16) << size;
  }
}
TEST(RowKernels, DotAndAddAreThoseOfOneEntryAfterAnother) {
  check_plain<float>(ValueType::ones);
  check_plain<float>(ValueType::floats);
  check_plain<double>(ValueType::doubles);
}

TEST(RowKernels, LaplaceFlowsAreThoseOfThePrior) {
  check(prior::Laplace{1.5});
  check(prior::Laplace{1e-7});
}
TEST(RowKernels, ElasticNetFlowsAreThoseOfThePrior) {
  check(prior::ElasticNet{0.5, 0.5});
  check(prior::ElasticNet{3, 1e-6});
  check(prior::ElasticNet{1e-4, 30});
}
TEST(RowKernels, CauchyFlowsAreThoseOfThePrior) {
  check(prior::Cauchy::from_scale(2.5));
  check(prior::Cauchy::from_scale(0.01));
  check(prior::Cauchy::from_scale(1e4));
  for (const double scale : {1e-30, 1e-11, 1e11, 1e30}) check(prior::Cauchy::from_scale(scale));
}
// b e^{−y/2} with y + v (1 − e^{−y}) = c, solved in long doubles from the lower end of the bracket, where Newton's
// iteration rises.
long double cauchy_flow(const prior::Cauchy& prior, double b, double elapsed) {
  const long double rate = prior.inverse_square, v = rate * b * b, c = 4 * rate * elapsed;
  if (v > 1e60L) return b;  // for the times below
  long double y = c / (1 + v);
  for (long double step = -1; step < -1e-19L * y;) {
    const long double em = std::expm1(-y);
    step = (y - v * em - c) / (1 + v * (1 + em));
    y -= step;
  }
  return b + b * std::expm1(-y / 2);
}
// Every way to compute a flow, on both sides of where it begins and ends, for coefficients of every size, among them the
// largest that the form for small ones takes.
TEST(RowKernels, CauchyFlowsAreExactWhereTheirFormsMeet) {
  using Series = CauchySeries;
  for (const double scale : {2.5, 0.3, 7e3}) {
    const prior::Cauchy prior = prior::Cauchy::from_scale(scale);
    std::vector<double> times{0, 5e-324, 1e-300, 1e-9};
    for (const double c :
         {Series::brief_end, Series::middle_end, Series::long_end, Series::small_end,
          1 / Series::stretches_per_unit, 7 / Series::stretches_per_unit, 0x1p-11, 0x1p-7, 0.3, 0.97, 3.0})
      for (const double nearly : {1 - 4e-16, 1.0, 1 + 4e-16, 0.9, 1.1})
        times.push_back(nearly * c / (4 * prior.inverse_square));
    std::vector<double> sizes{0,     5e-324, 1e-310, 1e-160, 1e-20,
                              1e100, 1e154,  1e155,  1e200,  std::numeric_limits<double>::max()};
    const double reach = std::sqrt(Series::small_reach / prior.inverse_square);
    for (const double part : {1e-3, 0.3, 0.9, 1 - 1e-15, 1.0, 1 + 1e-15, 1.1, 2.0, 4.0, 30.0, 1e3, 1e8})
      sizes.push_back(part * reach);
    const double tiny = 1e-323 * std::max(1.0, scale * scale);  // b/λ² may have fewer digits than b
    constexpr std::size_t vectors = 20, width = 24;
    const std::size_t n = sizes.size();
    std::vector<FeatureId> ids(n);
    std::iota(ids.begin(), ids.end(), 0u);
    const auto kernels = wide_kernels<prior::Cauchy>(ValueType::ones);
    for (const bool mixed : {false, true})  // one size in a record, or all of them
      for (const double time : times) {
        math::Vector records(width * n, 0.0), scores(width, 0.0), unused(n + 16);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t c = 0; c < vectors; ++c)
            records[width * i + c] = (c % 2 == 0 ? 1 : -1) * sizes[mixed ? (i + c) % n : i];
        const math::Vector before = records;
        kernels.catch_up(prior, records.data(), width, {ids.data(), nullptr, n}, {}, time,
                         {scores.data(), 1, scores.data()}, unused.data());
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t c = 0; c < vectors; ++c) {
            const double b = before[width * i + c], actual = records[width * i + c];
            const auto expected = static_cast<double>(cauchy_flow(prior, b, time));
            const double digits = std::abs(b) < 1e100 ? condition(prior, b, expected) : 2;
            EXPECT_NEAR(actual, expected, 1e-15 * std::abs(expected) * digits + tiny)
                << "scale " << scale << " b " << b << " time " << time;
            EXPECT_LE(std::abs(actual), std::abs(b));
            EXPECT_GE(actual * b, 0);
          }
      }
  }
}
// One vector: eight features with clocks of their own are caught up at once, by a form that serves all of them.
TEST(RowKernels, CauchyFlowsOfOneVectorAreExactWhereTheirFormsMeet) {
  for (const double scale : {2.5, 0.3, 7e3}) {
    const prior::Cauchy prior = prior::Cauchy::from_scale(scale);
    std::vector<double> sizes{0,     5e-324, 1e-310, 1e-160, 1e-20,
                              1e100, 1e154,  1e155,  1e200,  std::numeric_limits<double>::max()};
    for (const double part : {1e-3, 0.05, 0.2, 0.25 * (1 - 1e-15), 0.25, 0.26, 0.6, 1.0, 3.0, 50.0, 1e8})
      sizes.push_back(part * scale);
    std::vector<double> times{0, 5e-324, 1e-300, 1e-9};
    for (const double c : {0x1p-11, 0x1p-10, 0x1p-8, 0x1p-6, 0.03, 0x1p-4, 0x1p-2, 0.3, 0x1p-1, 0.97, 3.0})
      for (const double nearly : {1 - 4e-16, 1.0, 1 + 4e-16, 0.9, 1.1})
        times.push_back(nearly * c / (4 * prior.inverse_square));
    const double tiny = 1e-323 * std::max(1.0, scale * scale);  // b/λ² may have fewer digits than b
    const std::size_t n = sizes.size() * times.size();
    const double latest = *std::max_element(times.begin(), times.end());
    std::vector<FeatureId> ids(n);
    std::iota(ids.begin(), ids.end(), 0u);
    const auto kernels = clocked_kernels<prior::Cauchy>(ValueType::ones);
    for (const std::size_t stride :
         {std::size_t{1}, sizes.size(), std::size_t{37}}) {  // neighbours are alike or not
      math::Vector records(2 * n), caught(n + 16);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = i * stride % n + (stride == sizes.size() ? i / times.size() : 0);
        records[2 * i] = (i % 2 == 0 ? 1 : -1) * sizes[at % sizes.size()];
        records[2 * i + 1] = latest - times[at / sizes.size() % times.size()];
      }
      const math::Vector before = records;
      const RowEntries row{ids.data(), nullptr, n};
      kernels.catch_up(prior, records.data(), row, latest, caught.data());
      kernels.write_back(records.data(), row, latest, 0, caught.data());
      for (std::size_t i = 0; i < n; ++i) {
        const double b = before[2 * i], time = latest - before[2 * i + 1], actual = records[2 * i];
        const auto expected = static_cast<double>(cauchy_flow(prior, b, time));
        const double digits = std::abs(b) < 1e100 ? condition(prior, b, expected) : 2;
        EXPECT_NEAR(actual, expected, 1e-15 * std::abs(expected) * digits + tiny)
            << "scale " << scale << " b " << b << " time " << time;
        EXPECT_GE(actual * b, 0);
      }
    }
  }
}
// Entries are sorted several at a time, the last ones one by one.
TEST(RowKernels, CauchyFlowsDoNotDependOnTheLengthOfTheRow) {
  const prior::Cauchy prior = prior::Cauchy::from_scale(2.5);
  const Grid grid;
  const std::size_t n = grid.b.size(), width = 24;
  math::Vector start(width * n, 0.0), times(n + 16);
  std::vector<FeatureId> ids(n);
  std::iota(ids.begin(), ids.end(), 0u);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < 20; ++c) start[width * i + c] = grid.b[(i + 2 * c) % n];
    start[width * i + width - 1] = now - grid.elapsed[i];
  }
  const auto kernels = wide_kernels<prior::Cauchy>(ValueType::ones);
  const auto caught_up = [&](std::size_t size) {
    math::Vector records = start, scores(width, 0.0);
    kernels.catch_up(prior, records.data(), width, {ids.data(), nullptr, size}, {}, now,
                     {scores.data(), 1, scores.data()}, times.data());
    return records;
  };
  const math::Vector whole = caught_up(n);
  for (std::size_t size = 0; size <= std::min<std::size_t>(n, 40); ++size) {
    const math::Vector part = caught_up(size);
    for (std::size_t i = 0; i < width * n; ++i) EXPECT_EQ(part[i], i < width * size ? whole[i] : start[i]);
  }
}

}  // namespace
}  // namespace lazylogit::optim
