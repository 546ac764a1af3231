#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/text/all_grams.hpp"
#include "lazylogit/io/text/ngram_counter.hpp"

namespace lazylogit::io {
namespace {

using Names = std::vector<std::string>;

std::vector<std::string> random_documents(std::uint64_t seed, std::size_t count) {
  std::vector<std::string> documents;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::uint64_t words = random.below(40); words > 0; --words) {
      // Words that are beginnings of others, and few enough that n-grams come again.
      text += std::string(1 + random.below(3), static_cast<char>('a' + random.below(6)));
      text += random.below(4) == 0 ? ", " : " ";
    }
    documents.push_back(text);
  }
  return documents;
}

// N-grams by their texts, as plainly as can be.
struct Reference {
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  Names names;

  std::vector<std::pair<std::uint32_t, std::uint32_t>> count(const Tokenizer& tokenizer) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
    tokenizer.for_each_ngram([&](std::string_view gram) {
      const auto [found, is_new] = numbers.emplace(gram, static_cast<std::uint32_t>(names.size()));
      if (is_new) names.emplace_back(gram);
      for (auto& entry : entries)
        if (entry.first == found->second) {
          ++entry.second;
          return;
        }
      entries.emplace_back(found->second, 1);
    });
    return entries;
  }
};

Names names_of(const data::Alphabet& alphabet) {
  Names names;
  for (std::uint32_t i = 0; i < alphabet.size(); ++i) names.emplace_back(alphabet.name(i));
  return names;
}

TEST(GramDictionary, NumbersAndCountsNgramsAsTheirTextsWould) {
  for (const int ngrams : {1, 2, 3, 8}) {
    SCOPED_TRACE(ngrams);
    AllGrams all;
    data::Alphabet names;
    Reference over_all;
    GramDictionary grams;  // used again
    for (const std::uint64_t block : {1u, 2u, 3u}) {
      grams.clear();
      Tokenizer tokenizer({.ngrams = ngrams, .lowercase = false});
      NgramCounter counter(ngrams);
      Reference reference;
      for (const std::string& document : random_documents(block, 300)) {
        tokenizer.split(document);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
        for (const NgramCounter::Entry& entry : counter.count(tokenizer, grams))
          entries.emplace_back(entry.id, entry.count);
        ASSERT_EQ(entries, reference.count(tokenizer));
        over_all.count(tokenizer);
      }
      ASSERT_EQ(grams.size(), reference.names.size());
      Buffer<std::uint32_t> to_all;
      all.merge(grams, names, to_all);
      ASSERT_EQ(to_all.size(), grams.size());
      for (std::size_t i = 0; i < to_all.size(); ++i) ASSERT_EQ(names.name(to_all[i]), reference.names[i]);
      EXPECT_EQ(names_of(names), over_all.names);
      EXPECT_EQ(all.size(), names.size());
    }
  }
}

// Beside their names: a text may have tens of millions.
TEST(AllGrams, TakeFewBytesEach) {
  AllGrams all;
  data::Alphabet names;
  Buffer<std::uint32_t> to_all;
  Random random(8);
  GramDictionary grams;
  std::size_t words = 0;
  for (int block = 0; block < 20; ++block) {
    grams.clear();
    Tokenizer tokenizer({.ngrams = 2, .lowercase = false});
    NgramCounter counter(2);
    for (int document = 0; document < 20; ++document) {
      std::string text;
      for (int i = 0; i < 200; ++i) text += "w" + std::to_string(random.below(1000)) + " ";
      tokenizer.split(text);
      counter.count(tokenizer, grams);
    }
    all.merge(grams, names, to_all);
  }
  for (std::uint32_t i = 0; i < names.size(); ++i) words += names.name(i).find(' ') == std::string_view::npos;
  ASSERT_GT(all.size(), 50 * words);
  EXPECT_LE(all.memory_bytes(), all.size() * 17 + words * 12 + 1000);
}

TEST(GramDictionary, ForgetsEverything) {
  GramDictionary grams;
  Tokenizer tokenizer({.ngrams = 2, .lowercase = false});
  for (const char* const document : {"one two three", "three two", ""}) {
    grams.clear();
    NgramCounter counter(2);
    tokenizer.split(document);
    counter.count(tokenizer, grams);
    AllGrams all;
    data::Alphabet names;
    Buffer<std::uint32_t> to_all;
    all.merge(grams, names, to_all);
    Names expected;
    tokenizer.for_each_ngram([&](std::string_view gram) { expected.emplace_back(gram); });
    EXPECT_EQ(names_of(names), expected);
  }
  EXPECT_TRUE(grams.empty());
}

}  // namespace
}  // namespace lazylogit::io
