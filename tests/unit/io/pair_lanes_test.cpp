// Pairs taken in groups against the same pairs one by one.
#include "lazylogit/io/formats/pair_lanes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

struct Pair {
  std::string key, value;
};

// What a pair says, where a parser may take it.
template <class T>
bool read_pair(const Pair& pair, std::uint32_t least, std::uint32_t& key, T& value) {
  std::uint64_t index = 0;
  double number = 0;
  if (parse_integer(pair.key, 0xFFFFFFFF, index) != NumberStatus::ok || index < least) return false;
  if (parse_number(pair.value, number) != NumberStatus::ok) return false;
  key = static_cast<std::uint32_t>(index) - least;
  value = static_cast<T>(number);
  return true;
}

auto bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
auto bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

// Takes the pairs of a line from each place on; what is taken must be right. Returns how many were taken from the first on.
template <class T>
std::size_t expect_right(const std::vector<Pair>& pairs, std::uint32_t least, LaneUse use) {
  std::string text = "1";
  std::vector<std::size_t> blanks;
  for (const Pair& pair : pairs) {
    blanks.push_back(text.size());
    text += " " + pair.key + ":" + pair.value;
  }
  text += '\n';
  const std::size_t size = text.size();
  text += std::string(block_padding, '7');
  std::size_t first = 0;
  for (std::size_t from = 0; from < pairs.size(); from = from == 0 ? 1 : from * 2) {
    PairIndex index;
    const PairMarks marks = index.from(text.data() + blanks[from], text.data() + size);
    std::vector<std::uint32_t> keys(pairs.size() - from);
    std::vector<T> values(keys.size()), alone(keys.size());
    const std::vector<std::uint32_t> table(100);
    const std::size_t taken = take_pairs(marks, {least, table.data()}, keys.data(), values.data(), use);
    EXPECT_LE(taken, keys.size());
    EXPECT_EQ(take_values(marks, alone.data(), use) < taken, false);
    for (std::size_t i = 0; i < std::min(taken, keys.size()); ++i) {
      const Pair& pair = pairs[from + i];
      std::uint32_t key = 0;
      T value = 0;
      EXPECT_TRUE(read_pair(pair, least, key, value)) << pair.key << ':' << pair.value;
      EXPECT_EQ(keys[i], key) << pair.key;
      EXPECT_EQ(bits_of(values[i]), bits_of(value)) << pair.value;
      EXPECT_EQ(bits_of(alone[i]), bits_of(value)) << pair.value;
    }
    if (from == 0) first = taken;
  }
  return first;
}

std::string digits(Random& random, std::uint64_t count) {
  std::string text;
  while (text.size() < count) text += static_cast<char>('0' + random.below(10));
  return text;
}

TEST(PairLanes, TakesPlainPairsToTheLast) {
  Random random(1);
  for (const LaneUse use : {LaneUse::where_possible, LaneUse::none})
    for (std::size_t size = pair_group; size < 70; ++size) {
      std::vector<Pair> pairs, ones;
      for (std::size_t i = 0; i < size; ++i) {
        const std::string whole = digits(random, 1 + random.below(4)), sign = random.below(4) == 0 ? "-" : "";
        pairs.push_back({"1" + digits(random, random.below(6)),
                         sign + whole + (i % 3 == 0 ? "" : "." + digits(random, random.below(9)))});
        ones.push_back({digits(random, 1 + random.below(7)), "1"});
      }
      EXPECT_EQ(expect_right<float>(pairs, 1, use), size);
      EXPECT_EQ(expect_right<double>(pairs, 1, use), size);
      EXPECT_EQ(expect_right<float>(ones, 0, use), size);
    }
}

TEST(PairLanes, RandomPairsAreRightOrLeft) {
  constexpr std::string_view odd[] = {"",
                                      "-",
                                      ".",
                                      "-.",
                                      "1.2.3",
                                      "1e5",
                                      "+1",
                                      "--1",
                                      "1-",
                                      "0x1",
                                      "1.",
                                      ".5",
                                      "-0",
                                      "0",
                                      "123456789012345",
                                      "1234567890123456",
                                      "0.12345678901234",
                                      "0.123456789012345",
                                      "99999999999999.9",
                                      "1|",
                                      "1:2",
                                      "1\r"};
  constexpr std::string_view odd_keys[] = {
      "", "0", "00000001", "12345678", "123456789", "4294967295", "99999999999", "a", "1a", "-1", "qid"};
  Random random(2);
  for (int round = 0; round < 3000; ++round) {
    std::vector<Pair> pairs;
    const std::uint64_t one_in = 2 + random.below(60);
    for (std::uint64_t k = 1 + random.below(40); k > 0; --k) {
      const bool is_odd = random.below(one_in) == 0;
      Pair pair = {digits(random, 1 + random.below(8)),
                   digits(random, random.below(8)) + "." + digits(random, random.below(9))};
      if (is_odd && random.below(2) == 0) pair.key = odd_keys[random.below(std::size(odd_keys))];
      if (is_odd) pair.value = odd[random.below(std::size(odd))];
      pairs.push_back(pair);
    }
    for (const LaneUse use : {LaneUse::where_possible, LaneUse::none}) {
      expect_right<float>(pairs, round % 2 == 0 ? 1 : 0, use);
      expect_right<double>(pairs, round % 2 == 0 ? 1 : 0, use);
    }
  }
}

TEST(PairLanes, EveryFormOfANumberAlone) {
  Random random(3);
  for (std::size_t size = 1; size <= 18; ++size)
    for (std::size_t point = 0; point <= size; ++point)
      for (const std::string& sign : {std::string(), std::string("-")}) {
        std::string value = digits(random, size);
        if (point < size) value[point] = '.';
        const std::vector<Pair> pairs(pair_group, Pair{"7", sign + value});
        const std::size_t num_digits = size - (point < size ? 1 : 0);
        const bool is_plain = num_digits > 0 && num_digits <= 15 && size <= 16;
        EXPECT_EQ(expect_right<double>(pairs, 1, LaneUse::none) == pair_group, num_digits > 0) << value;
        const std::size_t taken = expect_right<double>(pairs, 1, LaneUse::where_possible);
        if (is_plain) {
          EXPECT_EQ(taken, pair_group) << value;
        }
      }
}

}  // namespace
}  // namespace lazylogit::io
