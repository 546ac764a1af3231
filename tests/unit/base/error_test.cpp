#include "lazylogit/base/error.hpp"

#include <gtest/gtest.h>

namespace lazylogit {
namespace {

TEST(QuoteText, EscapesControlBytesAndInvalidUtf8) {
  EXPECT_EQ(quote_text("a\x1b[0m"), "\"a\\x1b[0m\"");
  EXPECT_EQ(quote_text("\xff"), "\"\\xff\"");
  EXPECT_EQ(quote_text("gr\xC3\xB6n"), "\"gr\xC3\xB6n\"");
}

TEST(QuoteText, EscapesMarksThatTurnOrBreakWhatFollows) {
  EXPECT_EQ(quote_text("a\u202Eb"), "\"a\\xe2\\x80\\xaeb\"");
  for (const char* mark : {"\u200E", "\u2028", "\u2029", "\u202A", "\u2066", "\u2069"})
    EXPECT_EQ(quote_text(mark).substr(0, 6), "\"\\xe2\\") << mark;
  for (const char* text : {"\u2010", "\u202F", "\u2065", "\u206A", "\u20AC"})
    EXPECT_EQ(quote_text(text), "\"" + std::string(text) + "\"");
}

TEST(QuoteText, CutsAtFortyBytesWithoutSplittingACharacter) {
  const std::string text = std::string(39, 'x') + "\xC3\xB6";
  EXPECT_EQ(quote_text(text), "\"" + std::string(39, 'x') + "...\"");
}

TEST(FormatError, NamesFileLineAndColumn) {
  EXPECT_EQ(
      format_error(
          {.message = "bad index", .hint = "see --index-base", .file = "a.svm", .line = 3, .column = 7}),
      "a.svm:3:7: error: bad index; see --index-base");
}

TEST(FormatError, NamesByteOfBinaryFiles) {
  EXPECT_EQ(format_error({.message = "cut off", .file = "x.npy", .byte = 12}),
            "x.npy: byte 12: error: cut off");
}

TEST(FormatError, NamesOption) {
  EXPECT_EQ(format_error({.message = "must be positive", .option = "variance"}),
            "error: option --variance: must be positive");
}

TEST(CompletedError, TakesFoundAndExpectedFromTheMessage) {
  const ErrorDetail comma =
      completed({.kind = ErrorKind::input, .message = "found the label \"x\", expected a number"});
  EXPECT_EQ(comma.found, "the label \"x\"");
  EXPECT_EQ(comma.expected, "a number");
  EXPECT_EQ(comma.code, "bad-input");
  const ErrorDetail semicolon =
      completed({.kind = ErrorKind::usage, .message = "3 fields; expected 2", .option = "o"});
  EXPECT_EQ(semicolon.found, "3 fields");
  EXPECT_EQ(semicolon.expected, "2");
  EXPECT_EQ(semicolon.code, "bad-option");
}

TEST(CompletedError, KeepsWhatWasSaidApart) {
  const ErrorDetail detail = completed(
      {.message = "found a, expected b", .found = "\"a\"", .expected = "the letter b", .code = "letter"});
  EXPECT_EQ(detail.found, "\"a\"");
  EXPECT_EQ(detail.expected, "the letter b");
  EXPECT_EQ(detail.code, "letter");
}

TEST(CompletedError, TheWholeMessageIsFoundWhenNothingIsExpected) {
  const ErrorDetail detail =
      completed({.kind = ErrorKind::environment, .message = "cannot open as expected of it"});
  EXPECT_EQ(detail.found, "cannot open as expected of it");
  EXPECT_EQ(detail.expected, "");
}

TEST(FormatError, NeverExceeds500Bytes) {
  EXPECT_LE(format_error({.message = std::string(2000, '\x01')}).size(), 500u);
}

}  // namespace
}  // namespace lazylogit
