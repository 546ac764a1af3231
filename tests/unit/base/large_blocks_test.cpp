// Buffers in temporary files and in mapped ones.
#include "lazylogit/base/large_blocks.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>

#include "lazylogit/base/buffer.hpp"
#include "support/sanitized.hpp"
#include "unit/base/limited_new.hpp"

namespace lazylogit {
namespace {

constexpr std::size_t many = large_block;  // items: several megabytes

#ifndef LAZYLOGIT_SANITIZED  // which have allocators of their own
// Peak of what the system had to give a process of its own that grows a buffer, in items.
std::size_t peak_of_growing_to(std::size_t items) {
  const auto peak = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  };
  int ends[2];
  if (::pipe(ends) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::size_t before = peak();
    Buffer<std::uint64_t> numbers;
    for (std::size_t i = 0; i < items; ++i) numbers.push_back(i);
    const std::size_t grown = (peak() - before) / sizeof(std::uint64_t);
    ::_exit(::write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  std::size_t grown = 0;
  const bool read = ::read(ends[0], &grown, sizeof grown) == sizeof grown;
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return read ? grown : 0;
}

TEST(LargeBlocks, GrowthCopiesNothing) {
  // A little more than a power of two: a copy of the first 64 MB would be there beside them.
  const std::size_t items = (std::size_t{8} << 20) + 1000, grown = peak_of_growing_to(items);
  EXPECT_GE(grown, items * 9 / 10);
  EXPECT_LT(grown, items * 3 / 2);
}
#endif

TEST(LargeBlocks, SpooledBuffersBehaveAsOthersDo) {
  Buffer<std::uint32_t> numbers;
  {
    const SpoolScope scope(temporary_directory());
    for (std::uint32_t i = 0; i < many; ++i) numbers.push_back(i);
    EXPECT_TRUE(is_file_backed(numbers.data()));
  }
  for (std::uint32_t i = 0; i < many; ++i)
    numbers.push_back(static_cast<std::uint32_t>(many) + i);  // it stays where it is
  EXPECT_TRUE(is_file_backed(numbers.data()));
  Buffer<std::uint32_t> copy = numbers;
  EXPECT_FALSE(is_file_backed(copy.data()));
  numbers.resize(many);
  numbers.shrink_to_fit();
  for (std::uint32_t i = 0; i < many; ++i) ASSERT_EQ(numbers[i], i);
  for (std::uint32_t i = 0; i < 2 * many; ++i) ASSERT_EQ(copy[i], i);
  numbers.resize(10);
  numbers.shrink_to_fit();  // a small one is the heap's
  EXPECT_FALSE(is_file_backed(numbers.data()));
  EXPECT_EQ(numbers[9], 9U);
}

TEST(LargeBlocks, ASpooledBufferGrowsWithoutOtherMemory) {
  const SpoolScope scope(temporary_directory());
  Buffer<std::uint32_t> numbers(many, 3);
  const Buffer<std::uint32_t> behind(many, 4);  // so that it has to move
  test::allocations_left = 0;
  numbers.resize(16 * many);
  test::allocations_left = -1;
  EXPECT_TRUE(is_file_backed(numbers.data()));
  EXPECT_EQ(numbers[many - 1], 3U);
}

// Large ones are asked to lie in large pages, whole ones alone: then the system sees two pieces of memory.
TEST(LargeBlocks, AVeryLargeSpooledBufferGrowsAndShrinks) {
  const SpoolScope scope(temporary_directory());
  Buffer<std::uint32_t> numbers;
  for (const std::size_t size : {7 * many + 100, 15 * many + 3000, 16 * many, 9 * many + 77}) {
    const std::size_t before = std::min(numbers.size(), size);
    numbers.resize(size);
    numbers.shrink_to_fit();
    for (std::size_t i = 0; i < before; i += 1000) ASSERT_EQ(numbers[i], i);
    for (std::size_t i = 0; i < size; i += 1000) numbers[i] = static_cast<std::uint32_t>(i);
  }
  EXPECT_TRUE(is_file_backed(numbers.data()));
}

TEST(LargeBlocks, AHeapBlockMovesIntoTheFileWhenItGrows) {
  Buffer<double> numbers(many, 1.5);
  EXPECT_FALSE(is_file_backed(numbers.data()));
  const SpoolScope scope(temporary_directory());
  numbers.push_back(2.5);
  EXPECT_TRUE(is_file_backed(numbers.data()));
  EXPECT_EQ(numbers[many - 1], 1.5);
  EXPECT_EQ(numbers[many], 2.5);
  EXPECT_FALSE(is_file_backed(Buffer<char>(100, 'x').data()));
}

TEST(LargeBlocks, AdoptedItemsKeepTheirFileAndChangeOnlyInMemory) {
  const int descriptor = open_unlinked(temporary_directory());
  Buffer<std::uint64_t> items(many);
  std::iota(items.begin(), items.end(), std::uint64_t{0});
  ASSERT_EQ(::pwrite(descriptor, items.data(), many * 8, 0), static_cast<ssize_t>(many * 8));
  MappedBytes bytes = map_file(descriptor, many * 8, "file");
  const auto* const data = reinterpret_cast<const std::uint64_t*>(bytes.data);
  const std::weak_ptr<const void> alive = bytes.owner;
  auto first = Buffer<std::uint64_t>::adopt(data, many / 2, bytes.owner);
  auto second = Buffer<std::uint64_t>::adopt(data + many / 2, many / 2, std::move(bytes.owner));
  EXPECT_EQ(first.data(), data);
  first[0] = 42;
  second.push_back(7);  // no room where it lies
  EXPECT_NE(second.data(), data + many / 2);
  EXPECT_EQ(second[0], many / 2);
  EXPECT_FALSE(alive.expired());
  Buffer<std::uint64_t> moved = std::move(first);
  EXPECT_EQ(moved[0], 42U);
  moved = {};
  EXPECT_TRUE(alive.expired());
  std::uint64_t on_disk = 1;
  ASSERT_EQ(::pread(descriptor, &on_disk, 8, 0), 8);
  EXPECT_EQ(on_disk, 0U);
  ::close(descriptor);
}

}  // namespace
}  // namespace lazylogit
