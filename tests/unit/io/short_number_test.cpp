#include "lazylogit/io/columns/short_number.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>

namespace lazylogit::io {
namespace {

// What the short way takes is what the grammar says, bit by bit.
void expect_agreement(const std::string& text) {
  const std::string padded = text + std::string(16, ',');
  double shortly = 0, fully = 0;
  if (!read_short_number(padded.data(), text.size(), shortly)) return;
  ASSERT_EQ(parse_number(text, fully), NumberStatus::ok) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(shortly), std::bit_cast<std::uint64_t>(fully)) << text;
}

TEST(ShortNumber, AgreesWithTheParser) {
  constexpr std::string_view letters = "0123456789.-+eE, ";
  std::uint64_t state = 1;
  for (int i = 0; i < 300000; ++i) {
    std::string text;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    std::uint64_t draw = state >> 8;
    const std::size_t size = draw % 11;
    for (std::size_t k = 0; k < size; ++k) {
      draw = draw * 6364136223846793005ULL + 1442695040888963407ULL;
      const std::uint64_t pick = (draw >> 40) % 40;
      text += letters[pick < letters.size() ? pick : pick % 11];
    }
    expect_agreement(text);
  }
}

TEST(ShortNumber, TakesWhatIsCommon) {
  for (const char* text : {"0", "7", "-1", "0.00", "1.00", "-0.5", "12345678", "-12345678", ".5", "5.",
                           "0.123456", "-0.123456", "1234.567", "-0", "00012"}) {
    const std::string padded = std::string(text) + std::string(16, ',');
    double value = 0;
    EXPECT_TRUE(read_short_number(padded.data(), std::string_view(text).size(), value)) << text;
    expect_agreement(text);
  }
}

TEST(ShortNumber, LeavesTheRest) {
  for (const char* text :
       {"", "-", ".", "-.", "1.2.3", "1e3", "+1", " 1", "1 ", "--1", "123456789", "abc", "1,2"}) {
    const std::string padded = std::string(text) + std::string(16, ',');
    double value = 0;
    EXPECT_FALSE(read_short_number(padded.data(), std::string_view(text).size(), value)) << text;
  }
}

}  // namespace
}  // namespace lazylogit::io
