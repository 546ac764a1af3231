#include "lazylogit/io/formats/pair_index.hpp"

#include <gtest/gtest.h>

#include <string>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

bool is_mark(char c) { return static_cast<unsigned char>(c) <= ' ' || c == ':' || c == '|'; }

// Walks over the lines of `text`, some only in part, and compares their marks with what a look at every byte gives.
void expect_marks(const std::string& text, Random& random) {
  const std::string padded = text + std::string(block_padding, '\0');
  const char* const end = padded.data() + text.size();
  PairIndex index;
  for (const char* line = padded.data(); line < end;) {
    const char* const stop = std::find(line, end, '\n');
    LineMarks marks(index, {line, static_cast<std::size_t>(stop - line)}, end);
    std::uint64_t wanted = random.below(3) == 0 ? random.below(20) : text.size();
    for (const char* p = line; p < stop && wanted > 0; ++p) {
      if (!is_mark(*p)) continue;
      --wanted;
      ASSERT_EQ(marks.next(), p);
      const PairMarks rest = marks.rest();
      ASSERT_GT(rest.count, 0U);
      ASSERT_EQ(rest.base + rest.marks[0], p);
      for (std::size_t i = 1; i < std::min<std::size_t>(rest.count, 4); ++i) {
        const char* const before = rest.base + rest.marks[i - 1];
        ASSERT_EQ(rest.base + rest.marks[i], std::find_if(before + 1, end, is_mark));
      }
    }
    if (wanted > 0) {
      ASSERT_EQ(marks.next(), stop);
      ASSERT_EQ(marks.next(), stop);
    }
    line = stop + 1;
  }
}

TEST(PairIndex, MarksWhatALookAtEveryByteFinds) {
  Random random(4);
  const std::string alphabet = "0123456789abcdefghijklmnopqrst   ::|\t\r\n\x80\xff";
  for (int round = 0; round < 300; ++round) {
    const std::size_t letters = round % 3 == 0 ? alphabet.size() : alphabet.size() - 7;
    std::string text;
    while (text.size() < 100U * static_cast<std::size_t>(round)) text += alphabet[random.next() % letters];
    expect_marks(text, random);
  }
}

TEST(PairIndex, LongLinesAndLongTokens) {
  Random random(5);
  std::string text;
  for (int k = 0; k < 20000; ++k) text += " 12:0.5";
  expect_marks(text + "\n" + text + "\n1 2:3\n" + text, random);
  expect_marks(
      "1 " + std::string(100000, 'x') + ":1 b:2\n" + std::string(70000, '|') + "\n" + std::string(40000, 'y'),
      random);
}

}  // namespace
}  // namespace lazylogit::io
