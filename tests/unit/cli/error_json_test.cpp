#include "lazylogit/cli/error_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lazylogit/base/message_limit.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::json;

bool ends_in_dots(const Json& text) { return text.get<std::string>().ends_with("..."); }

TEST(ErrorJson, CutsTheLongestTextsOfALineThatWouldBeTooLong) {
  const std::string line = error_json({.kind = ErrorKind::input,
                                       .message = std::string(400, 'm') + ", expected a number",
                                       .hint = "--ignore leaves it out",
                                       .file = "some/folder/data.csv",
                                       .line = 7,
                                       .column = 9,
                                       .found = quote_text("1,5")},
                                      "error");
  EXPECT_LE(line.size(), max_message_bytes);
  EXPECT_GT(line.size(), max_message_bytes - 5);
  const Json object = Json::parse(line);
  EXPECT_TRUE(ends_in_dots(object["message"]));
  EXPECT_EQ(object["file"], "some/folder/data.csv");
  EXPECT_EQ(object["found"], "\"1,5\"");
  EXPECT_EQ(object["expected"], "a number");
  EXPECT_EQ(object["hint"], "--ignore leaves it out");
}

TEST(ErrorJson, IsBoundedWhateverTheTextsAre) {
  // Quotes, control bytes, invalid UTF-8 and characters that JSON writes as pairs, at every place of the cut.
  for (const std::string unit : {"x", "\"", "\\", "\n", "\x1b", "\xff", "\xC3\xB6", "\xF0\x9F\x98\x80"}) {
    for (std::size_t offset = 0; offset < 12; ++offset) {
      std::string text(offset, 'a');
      while (text.size() < 5000) text += unit;
      for (const ErrorDetail& detail :
           {ErrorDetail{.kind = ErrorKind::input, .message = text, .file = text, .line = 1},
            ErrorDetail{.kind = ErrorKind::usage, .message = "unknown option", .hint = text, .option = text},
            ErrorDetail{.message = text,
            .hint = text,
            .file = text,
            .line = ~0ull,
            .column = ~0ull,
            .byte = ~0ull,
            .option = text,
            .found = text,
            .expected = text}}) {
        const std::string line = error_json(detail, "warning");
        EXPECT_LE(line.size(), max_message_bytes);
        EXPECT_TRUE(Json::accept(line)) << line;
      }
    }
  }
}

TEST(ErrorJson, LeavesShortLinesAsTheyAre) {
  const Json object = Json::parse(error_json(
      {.kind = ErrorKind::input, .message = "found a, expected b", .file = "f", .line = 3}, "error"));
  EXPECT_EQ(object["message"], "found a, expected b");
  EXPECT_EQ(object["line"], 3);
  EXPECT_TRUE(object["column"].is_null());
}

}  // namespace
}  // namespace lazylogit::cli
