#include "lazylogit/io/text_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {
namespace {

struct Cut {
  std::string text;
  std::uint64_t line;
  bool first;
  bool operator==(const Cut&) const = default;
};

std::vector<Cut> cut(const std::vector<std::string>& files, std::size_t block_bytes,
                     RecordRule rule = RecordRule::lines, const Limits& limits = {}) {
  std::vector<Input> inputs;
  for (const std::string& file : files) inputs.push_back(Input::from_memory("f", file));
  TextBlocks blocks(inputs, rule, limits, block_bytes);
  std::vector<Cut> cuts;
  TextBlock block;
  while (blocks.next(block)) {
    EXPECT_EQ(block.sequence, cuts.size());
    for (std::size_t k = 0; k < block_padding; ++k) EXPECT_EQ(block.text().data()[block.size + k], '\0');
    cuts.push_back({std::string(block.text()), block.first_line, block.first_of_file});
  }
  return cuts;
}

std::string block_error(const std::string& text, const Limits& limits = {},
                        RecordRule rule = RecordRule::lines) {
  try {
    cut({text}, 8, rule, limits);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(TextBlocks, CutsAtLineEndsAndCountsLines) {
  EXPECT_EQ(
      cut({"a\nbb\nccc\ndddd"}, 4),
      (std::vector<Cut>{{"a\n", 1, true}, {"bb\n", 2, false}, {"ccc\n", 3, false}, {"dddd", 4, false}}));
}

TEST(TextBlocks, EveryBlockSizeGivesTheSameText) {
  const std::string text = "one\n\ntwo three\n" + std::string(50, 'x') + "\nfour";
  for (std::size_t size = 1; size < 80; ++size) {
    std::string joined;
    std::uint64_t line = 1;
    for (const Cut& c : cut({text}, size)) {
      EXPECT_EQ(c.line, line);
      line += static_cast<std::uint64_t>(std::count(c.text.begin(), c.text.end(), '\n'));
      joined += c.text;
    }
    EXPECT_EQ(joined, text) << size;
  }
}

TEST(TextBlocks, NeverJoinsFilesAndSkipsEmptyOnes) {
  EXPECT_EQ(cut({"a", "", "\xEF\xBB\xBF",
                 "\xEF\xBB\xBF"
                 "b\n"},
                100),
            (std::vector<Cut>{{"a", 1, true}, {"b\n", 1, true}}));
}

TEST(TextBlocks, LineEndsInsideQuotesDoNotCut) {
  const std::string text = "a,\"x\ny\"\nb,\"\"\"\n\"\nc\n";
  for (std::size_t size = 1; size < 30; ++size)
    for (const Cut& c : cut({text}, size, RecordRule::quoted_lines))
      EXPECT_EQ(std::count(c.text.begin(), c.text.end(), '"') % 2, 0) << size << c.text;
}

TEST(TextBlocks, RefusesWideEncodingsByName) {
  using namespace std::string_literals;
  for (const std::string& text : {"\xFF\xFE"
                                  "1\0 \0"s,
                                  "1\0 \0"s})
    EXPECT_NE(block_error(text).find("f:1:1: error: the text is in UTF-16 (little endian)"),
              std::string::npos);
  for (const std::string& text : {"\xFE\xFF\0"
                                  "1"s,
                                  "\0"
                                  "1\0 "s})
    EXPECT_NE(block_error(text).find("UTF-16 (big endian)"), std::string::npos);
  for (const std::string& text : {"\xFF\xFE\0\0"
                                  "1\0\0\0"s,
                                  "1\0\0\0"s})
    EXPECT_NE(block_error(text).find("UTF-32 (little endian)"), std::string::npos);
  for (const std::string& text : {"\0\0\xFE\xFF"s,
                                  "\0\0\0"
                                  "1"s})
    EXPECT_NE(block_error(text).find("UTF-32 (big endian)"), std::string::npos);
}

TEST(TextBlocks, LimitsTheLengthOfALine) {
  Limits limits;
  limits.max_line_bytes = 10;
  EXPECT_EQ(block_error("0123456789\n0123456789", limits), "none");
  for (const char* text :
       {"ok\n0123456789x\n", "ok\n0123456789x", "ok\n0123456789012345678901234567890123456789\n"})
    EXPECT_EQ(block_error(text, limits),
              "f:2:1: error: a line is longer than 10 bytes, which is the limit; see --max-line-bytes")
        << text;
  EXPECT_NE(block_error("\"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", limits, RecordRule::quoted_lines), "none");
}

TEST(TextBlocks, PlacesAByte) {
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("name", "ab\ncd\nefg\n"));
  TextBlocks blocks(inputs, RecordRule::lines, {}, 100);
  TextBlock block;
  ASSERT_TRUE(blocks.next(block));
  const ErrorDetail place = block.place(block.text().data() + 8);
  EXPECT_EQ(place.file, "name");
  EXPECT_EQ(place.line, 3u);
  EXPECT_EQ(place.column, 3u);
}

TEST(FindBadByte, FindsControlBytesAndMalformedUtf8AnywhereInAVector) {
  for (std::size_t at = 0; at < 140; ++at) {
    std::string text(140, 'x');
    EXPECT_EQ(find_bad_byte(text), nullptr);
    for (const char bad : {'\0', '\x01', '\x1b', '\x7f', '\xff', '\x80', '\r'}) {
      if (bad == '\r' && at == 139) continue;  // may be before LF
      text[at] = bad;
      EXPECT_EQ(find_bad_byte(text), text.data() + at) << at;
    }
    text[at] = '\t';
    EXPECT_EQ(find_bad_byte(text), nullptr);
  }
}

TEST(FindBadByte, TakesUtf8AndLineEnds) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "gr\xC3\xB6n \xE4\xBD\xA0\xF0\x9F\x98\x80\r\n";
  EXPECT_EQ(find_bad_byte(text), nullptr);
  text += "\xED\xA0\x80";  // a surrogate
  EXPECT_EQ(find_bad_byte(text), text.data() + text.size() - 3);
}

}  // namespace
}  // namespace lazylogit::io
