#include <gtest/gtest.h>

#include <vector>

#include "lazylogit/base/buffer.hpp"

namespace lazylogit {
namespace {

TEST(BorrowedBuffer, ReadsWhereTheItemsLie) {
  const std::vector<int> items{1, 2, 3};
  const auto buffer = Buffer<int>::borrow(items.data(), items.size());
  EXPECT_TRUE(buffer.is_borrowed());
  EXPECT_EQ(buffer.data(), items.data());
  EXPECT_EQ(buffer.back(), 3);
}

TEST(BorrowedBuffer, GrowsIntoACopy) {
  const std::vector<int> items{1, 2, 3};
  auto buffer = Buffer<int>::borrow(items.data(), items.size());
  buffer.push_back(4);
  EXPECT_FALSE(buffer.is_borrowed());
  ASSERT_EQ(buffer.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(buffer[i], static_cast<int>(i) + 1);
  EXPECT_EQ(items.size(), 3U);
}

TEST(BorrowedBuffer, CopiesAndMovesLikeAnyOther) {
  const std::vector<int> items{1, 2, 3};
  auto buffer = Buffer<int>::borrow(items.data(), items.size());
  const Buffer<int> copy = buffer;
  EXPECT_FALSE(copy.is_borrowed());
  const Buffer<int> moved = std::move(buffer);
  EXPECT_TRUE(moved.is_borrowed());
  EXPECT_EQ(std::vector<int>(copy.begin(), copy.end()), items);
  EXPECT_TRUE(Buffer<int>::borrow(items.data(), 0).empty());
}

}  // namespace
}  // namespace lazylogit
