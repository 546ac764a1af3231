#include "lazylogit/io/text/tokenizer.hpp"

#include <gtest/gtest.h>

#include "lazylogit/io/text/word_characters.hpp"

namespace lazylogit::io {
namespace {

std::vector<std::string> tokens(std::string_view text, bool lowercase = false) {
  Tokenizer tokenizer({.ngrams = 1, .lowercase = lowercase});
  tokenizer.split(text);
  std::vector<std::string> out;
  tokenizer.for_each_ngram([&](std::string_view gram) { out.emplace_back(gram); });
  return out;
}

using Words = std::vector<std::string>;

// The expected lists are what Python's re.findall(r"\w+", text) gives.
TEST(Tokenizer, SplitsAsPythonsWordPatternDoes) {
  EXPECT_EQ(tokens("Hello, World! it's 3.5 x_y"), (Words{"Hello", "World", "it", "s", "3", "5", "x_y"}));
  EXPECT_EQ(tokens("naïve CAFÉ ÀÉÎ Straße"), (Words{"naïve", "CAFÉ", "ÀÉÎ", "Straße"}));
  EXPECT_EQ(tokens("ПРИВЕТ, мир Ωμέγα ΣΑΣ"), (Words{"ПРИВЕТ", "мир", "Ωμέγα", "ΣΑΣ"}));
  EXPECT_EQ(tokens("中文字 テスト 한국어"), (Words{"中文字", "テスト", "한국어"}));
  EXPECT_EQ(tokens("a\u0301b x²½Ⅷ"), (Words{"a", "b", "x²½Ⅷ"}));
  EXPECT_EQ(tokens("٣٤ १२ 𝒜𝟘 🙂ok"), (Words{"٣٤", "१२", "𝒜𝟘", "ok"}));
  EXPECT_EQ(tokens("don\u2019t\u00a0stop\u200bnow"), (Words{"don", "t", "stop", "now"}));
  EXPECT_EQ(tokens(""), Words{});
  EXPECT_EQ(tokens(" .,;"), Words{});
}

TEST(Tokenizer, LowersLettersOfEveryScript) {
  EXPECT_EQ(tokens("CAFÉ ПРИВЕТ ΩΜΈΓΑ Ⱥ \u212A \u0130x", true),
            (Words{"café", "привет", "ωμέγα", "ⱥ", "k", "ix"}));
}

TEST(Tokenizer, JoinsNgramsByOneBlankShorterOnesFirst) {
  Tokenizer tokenizer({.ngrams = 3, .lowercase = false});
  tokenizer.split("a  b,c");
  Words out;
  tokenizer.for_each_ngram([&](std::string_view gram) { out.emplace_back(gram); });
  EXPECT_EQ(out, (Words{"a", "a b", "a b c", "b", "b c", "c"}));
}

TEST(Tokenizer, SurvivesMalformedUtf8) {
  EXPECT_EQ(tokens("a\xff"
                   "b"),
            (Words{"a", "b"}));
  EXPECT_EQ(tokens("a\xe4\xb8"), (Words{"a"}));
}

// Counted with Python over all code points.
TEST(WordCharacters, AgreeWithPythonInNumber) {
  std::size_t words = 0, lowered = 0;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    words += is_word_character(code) ? 1 : 0;
    lowered += to_lower(code) != code ? 1 : 0;
  }
  EXPECT_EQ(words, 133548u);
  EXPECT_EQ(lowered, 1433u);
  EXPECT_FALSE(is_word_character(0x110000));
}

}  // namespace
}  // namespace lazylogit::io
