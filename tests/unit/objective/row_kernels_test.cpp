// The row loops against the sums they stand for, at every width that a stride can have.
#include "lazylogit/objective/row_kernels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

namespace lazylogit::objective {
namespace {

constexpr std::size_t num_columns = 40;
constexpr std::size_t strides[] = {1, 2, 4, 8, 16, 24, 32, 40, 56, 64, 80, 104};

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> out(count);
  for (double& x : out) x = static_cast<double>(random() % 2001) / 1000 - 1;
  return out;
}

template <class Value>
void check(const data::RowView<Value>& row) {
  for (const std::size_t stride : strides) {
    const auto b = numbers(num_columns * stride, 1), start = numbers(stride, 2), r = numbers(stride, 3);
    std::vector<double> s(stride), expected(start), g(b), squares(b), expected_g(b), expected_squares(b);
    for (std::size_t k = 0; k < row.size(); ++k)
      for (std::size_t c = 0; c < stride; ++c) {
        const std::size_t at = row.ids[k] * stride + c;
        expected[c] += row.value(k) * b[at];
        expected_g[at] += row.value(k) * r[c];
        expected_squares[at] += row.value(k) * row.value(k) * r[c];
      }
    scores(row, b.data(), stride, start.data(), s.data());
    scatter(row, r.data(), stride, g.data());
    scatter_squares(row, r.data(), stride, squares.data());
    for (std::size_t c = 0; c < stride; ++c) EXPECT_NEAR(s[c], expected[c], 1e-13) << stride << ' ' << c;
    EXPECT_EQ(g, expected_g) << stride;
    EXPECT_EQ(squares, expected_squares) << stride;
  }
}

TEST(RowKernels, agree_with_plain_sums) {
  std::vector<FeatureId> ids(num_columns / 2);
  for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<FeatureId>(2 * k);
  const auto doubles = numbers(ids.size(), 4);
  const std::vector<float> floats(ids.size(), 0.3F);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, ids.size()}) {
    const std::span<const FeatureId> some(ids.data(), count);
    check(data::RowView<double>{some, doubles.data()});
    check(data::RowView<float>{some, floats.data()});
    check(data::RowView<data::One>{some});
  }
}

}  // namespace
}  // namespace lazylogit::objective
