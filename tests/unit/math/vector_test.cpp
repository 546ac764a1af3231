#include "lazylogit/math/vector.hpp"

#include <gtest/gtest.h>

namespace lazylogit::math {
namespace {

constexpr std::size_t many = std::size_t{1} << 20;

TEST(KeepBlocks, AFreedBlockServesTheNextVectorOfItsSizeAndComesBackCleared) {
  const KeepBlocks keep;
  const void* first = nullptr;
  {
    const Vector v(many, 7.0);
    first = v.data();
  }
  const Vector again(many);
  EXPECT_EQ(static_cast<const void*>(again.data()), first);
  for (const double x : again) ASSERT_EQ(x, 0.0);
  const Vector other(2 * many, 1.0);
  EXPECT_NE(static_cast<const void*>(other.data()), first);
}

TEST(KeepBlocks, NothingIsTakenTwice) {
  const KeepBlocks keep;
  { const Vector a(many), b(many); }
  Vector a(many, 1.0), b(many, 2.0), c(many, 3.0);
  EXPECT_EQ(a.front() + b.front() + c.front(), 6.0);
  EXPECT_EQ(a.back() + b.back() + c.back(), 6.0);
}

}  // namespace
}  // namespace lazylogit::math
