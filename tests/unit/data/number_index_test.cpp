#include "lazylogit/data/number_index.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::data {
namespace {

// Keys by number, with hashes of which many are the same in whole or in part.
struct Keys {
  std::vector<std::uint64_t> keys;
  std::uint64_t mask;

  std::uint64_t hash(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15ULL) & mask; }
  auto hash_of() const {
    return [this](std::uint32_t number) { return hash(keys[number]); };
  }
  auto is(std::uint64_t key) const {
    return [this, key](std::uint32_t number) { return keys[number] == key; };
  }
};

TEST(NumberIndex, FindsWhatAMapWouldHoweverHashesCollide) {
  for (const std::uint64_t mask :
       {~std::uint64_t{0}, std::uint64_t{0xF000000000000000}, std::uint64_t{0xFF}}) {
    Keys all{{}, mask};
    NumberIndex index;
    std::map<std::uint64_t, std::uint32_t> expected;
    Random random(3);
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t key = random.below(2000);
      const auto next = static_cast<std::uint32_t>(all.keys.size());
      if (!index.has_room(next + 1)) {
        index.reset_to_grow(next + 1);
        index.add_all(next, all.hash_of());
      }
      all.keys.push_back(key);
      const std::uint32_t number = index.find_or_add(all.hash(key), next, all.is(key));
      EXPECT_EQ(number, expected.emplace(key, next).first->second);
      if (number != next) all.keys.pop_back();
    }
    for (std::uint64_t key = 0; key < 2000; ++key) {
      const auto found = expected.find(key);
      EXPECT_EQ(index.find(all.hash(key), all.is(key)),
                found == expected.end() ? NumberIndex::none : found->second);
    }
    while (all.keys.size() > 10) {
      const std::uint64_t key = all.keys.back();
      index.remove_last(all.hash(key), static_cast<std::uint32_t>(all.keys.size() - 1));
      EXPECT_EQ(index.find(all.hash(key), all.is(key)), NumberIndex::none);
      all.keys.pop_back();
    }
    for (std::uint32_t number = 0; number < 10; ++number)
      EXPECT_EQ(index.find(all.hash(all.keys[number]), all.is(all.keys[number])), number);
  }
}

TEST(NumberIndex, TakesTheFirstOfThoseThatAreAlikeAndWhatIsAskedFor) {
  const Keys all{{5, 6, 5, 7, 8, 6}, ~std::uint64_t{0}};
  const auto are_same = [&](std::uint32_t a, std::uint32_t b) { return all.keys[a] == all.keys[b]; };
  NumberIndex index;
  index.reset(6);
  EXPECT_FALSE(index.add_all(6, all.hash_of(), are_same, NumberIndex::all));
  EXPECT_EQ(index.find(all.hash(6), all.is(6)), 1u);
  index.reset(6);
  EXPECT_TRUE(index.add_all(6, all.hash_of(), are_same, [](std::uint32_t number) { return number > 2; }));
  EXPECT_EQ(index.find(all.hash(6), all.is(6)), 5u);
  EXPECT_EQ(index.find(all.hash(5), all.is(5)), NumberIndex::none);
}

TEST(NumberIndex, HasFewOfManyNumbers) {
  const Keys all{{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, ~std::uint64_t{0}};
  NumberIndex index;
  index.reset(2, 10);
  EXPECT_TRUE(index.has_room(2, 10));
  EXPECT_FALSE(index.has_room(3, 10));
  EXPECT_FALSE(index.has_room(2, 16));
  index.add(all.hash(12), 9);
  index.add(all.hash(3), 0);
  EXPECT_EQ(index.find(all.hash(12), all.is(12)), 9u);
  EXPECT_EQ(index.find(all.hash(3), all.is(3)), 0u);
  EXPECT_EQ(index.find(all.hash(4), all.is(4)), NumberIndex::none);
}

TEST(NumberIndex, HasAFewBytesForEachNumber) {
  NumberIndex index;
  for (const std::size_t count : {100u, 100'000u}) {
    index.reset(count);
    EXPECT_TRUE(index.has_room(count));
    EXPECT_LE(index.memory_bytes(), count * 5 + count / 2);
    index.reset_to_grow(count);
    EXPECT_LE(index.memory_bytes(), count * 8 + 100);
  }
}

}  // namespace
}  // namespace lazylogit::data
