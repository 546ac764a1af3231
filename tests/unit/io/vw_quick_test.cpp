// The quick walk over VW features against the careful one.
#include "lazylogit/io/formats/vw_quick.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/formats/vw_line.hpp"

namespace lazylogit::io {
namespace {

using Features = std::vector<std::pair<std::string, double>>;

// Nothing where the line is refused.
std::optional<Features> read_carefully(std::string_view line) {
  Features features;
  std::string prefix;
  VwFeatures walk(line);
  for (;;) switch (walk.next()) {
      case VwFeatures::Step::end:
        return features;
      case VwFeatures::Step::problem:
        return std::nullopt;
      case VwFeatures::Step::name_space:
        prefix = walk.name_space();
        if (!prefix.empty()) prefix += '^';
        break;
      case VwFeatures::Step::feature:
        if (walk.value() != 0) features.emplace_back(prefix + std::string(walk.name()), walk.value());
    }
}

std::optional<Features> read_quickly(std::string_view line, std::size_t longest = 1000) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> ids(line.size() / 2 + 1);
  std::vector<double> values(ids.size());
  bool ones = false;
  PairIndex index;
  LineMarks marks(index, line, line.data() + line.size());
  const auto count = read_vw_features(
      line, marks, longest,
      [&](std::string_view name) {
        names.emplace_back(name);
        return static_cast<std::uint32_t>(names.size() - 1);
      },
      ids.data(), values.data(), ones);
  if (count < 0) return std::nullopt;
  EXPECT_EQ(ones,
            std::all_of(values.begin(), values.begin() + count, [](double value) { return value == 1; }));
  Features features;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    features.emplace_back(names[ids[k]], values[k]);
  return features;
}

// Bytes that may be read, as a block of text has them behind it.
struct Padded {
  explicit Padded(std::string_view line) : text(line), size(line.size()) { text.append(64, '\n'); }
  std::string_view view() const { return std::string_view(text).substr(0, size); }
  std::string text;
  std::size_t size;
};

TEST(VwQuick, ReadsWhatTheCarefulWalkReads) {
  for (const char* line :
       {"|", "| a", "|a x:2 y |b:0.5 x:4 z | plain:3", "|n a_name_of_more_than_sixteen_bytes:0.125 b",
        "| 1:0.5 2:0 3:-1e3", "| a:1 b:1 c:1", "| a:1 b:1 c:1 ", "|x:2 a:1 b:1|y c:1", "|\ta\t b:1|c d",
        "| über:1 ж"}) {
    const Padded text(line);
    const auto quick = read_quickly(text.view());
    ASSERT_TRUE(quick.has_value()) << line;
    EXPECT_EQ(*quick, read_carefully(text.view())) << line;
  }
}

TEST(VwQuick, RandomLinesAreTheSameOrLeftToTheCarefulWalk) {
  constexpr std::string_view pieces[] = {" ",   " ",    "|",  ":",  "a", "bc", "long_name_that_goes_on",
                                         "1",   "0.5",  "-2", "e5", ".", "0",  "\t",
                                         "|n ", "|m:2 "};
  Random random(11);
  std::size_t read = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string line = "|";
    for (std::uint64_t k = random.below(12); k > 0; --k) line += pieces[random.below(std::size(pieces))];
    const Padded text(line);
    const auto quick = read_quickly(text.view());
    if (!quick) continue;
    ++read;
    ASSERT_EQ(*quick, read_carefully(text.view())) << line;
  }
  EXPECT_GT(read, 2000U);
}

TEST(VwQuick, ManyPairsInARowAreTheSameOrLeftToTheCarefulWalk) {
  constexpr std::string_view values[] = {":1",    ":1",        ":0.25", ":-3.5", ":0", "",
                                         ":1e-3", ":12345678", ":1.",   ":x",    "::1"};
  Random random(12);
  std::size_t read = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::uint64_t odd = random.below(5);  // of how many values some are unusual
    std::string line = round % 3 == 0 ? "|n" : round % 7 == 0 ? "|m:2" : "|";
    for (std::uint64_t k = random.below(60); k > 0; --k) {
      line += random.below(40) == 0 ? " |other " : " ";
      line += std::string(random.below(50) == 0 ? 0 : 1 + random.below(20), static_cast<char>('a' + k % 26));
      line += values[random.below(random.below(50) < odd ? std::size(values) : 4)];
    }
    const Padded text(line);
    const auto quick = read_quickly(text.view());
    if (!quick) continue;
    ++read;
    ASSERT_EQ(*quick, read_carefully(text.view())) << line;
  }
  EXPECT_GT(read, 1000U);
}

TEST(VwQuick, LongNamesAreLeftToTheCarefulWalk) {
  const Padded text("|ns abcdef");
  EXPECT_TRUE(read_quickly(text.view(), 9).has_value());
  EXPECT_FALSE(read_quickly(text.view(), 8).has_value());
  EXPECT_FALSE(read_quickly(Padded("| " + std::string(2000, 'x')).view()).has_value());
  std::string pairs = "|n";
  for (int k = 0; k < 20; ++k) pairs += k == 13 ? " abcdef:1" : " abc:2";
  EXPECT_TRUE(read_quickly(Padded(pairs).view(), 8).has_value());
  EXPECT_FALSE(read_quickly(Padded(pairs).view(), 7).has_value());
}

}  // namespace
}  // namespace lazylogit::io
