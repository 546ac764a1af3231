// Where many columns are texts, their n-grams lie in one dictionary: what comes out is what a dictionary for each makes.
#include <gtest/gtest.h>

#include <algorithm>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/formats/delimited.hpp"
#include "lazylogit/io/formats/jsonl.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::in_memory;
using table_reading::show;
using Lines = std::vector<std::string>;

constexpr std::size_t num_text_columns = 1200,
                      rows_of_texts = 12;  // more columns of texts than have a dictionary of their own

// Of columns [first, last): texts, and some names and numbers between them; w stands before and y behind them.
std::string cell_among_texts(std::size_t row, std::size_t column) {
  if (column % 100 == 17) return row % 3 == 0 ? "" : row % 2 == 0 ? "red" : "green";
  if (column % 100 == 18) return row == 4 ? "" : std::to_string((row + column) % 4);
  if ((row + column) % 9 == 0) return "";
  const std::string word = "w" + std::to_string((3 * column + row) % 5);
  return word + " of " + std::to_string(row) + (row % 4 == 1 ? " of " + word + " of" : "");
}

std::string table_of_texts(std::size_t first, std::size_t last) {
  std::string text = "w,";
  for (std::size_t c = first; c < last; ++c) text += "c" + std::to_string(c) + ",";
  text += "y\n";
  for (std::size_t r = 0; r < rows_of_texts; ++r) {
    text += std::to_string(1 + r % 3) + ",";
    for (std::size_t c = first; c < last; ++c) text += cell_among_texts(r, c) + ",";
    text += r % 2 == 0 ? "u\n" : "v\n";
  }
  return text;
}

// The same as JSON lines, with an object of numbers, its keys in no order, for every text that is missing.
std::string lines_of_texts(std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t r = 0; r < rows_of_texts; ++r) {
    text += "{";
    for (std::size_t c = last; c-- > first;) {
      const std::string cell = cell_among_texts(r, c), key = "c" + std::to_string(c);
      if (cell.empty() && c % 7 == 0) text += "\"n" + key + "\":{\"b\":" + std::to_string(r) + ",\"a\":1},";
      if (!cell.empty()) text += "\"" + key + "\":\"" + cell + "\",";
    }
    text += r % 2 == 0 ? "\"y\":\"u\"}\n" : "\"y\":\"v\"}\n";
  }
  return text;
}

// Rows of two halves side by side.
Lines joined_halves(const Loaded& left, const Loaded& right) {
  Lines rows = show(left);
  const Lines more = show(right);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] += more[r].substr(more[r].find(':') + 1);
  return rows;
}

void expect_same_as_halves(const ReadOptions& options) {
  const auto load_part = [&](std::size_t first, std::size_t last, std::size_t block) {
    const std::string text = table_of_texts(first, last);
    std::vector<Input> inputs = in_memory(text);
    return load_delimited(inputs, Format::csv, options, silent_log(), {}, block);
  };
  const Lines expected = joined_halves(load_part(0, num_text_columns / 2, 1 << 20),
                                       load_part(num_text_columns / 2, num_text_columns, 1 << 20));
  ASSERT_EQ(expected.size(), rows_of_texts);
  for (const std::size_t threads : {1u, 2u})
    for (const std::size_t block : {1u, 1u << 16, 1u << 20}) {
      const ThreadLimit limit(threads);
      EXPECT_EQ(show(load_part(0, num_text_columns, block)), expected);
    }
}

TEST(ManyTexts, HaveTheSameFeatures) { expect_same_as_halves({.weight = "w"}); }
TEST(ManyTexts, HaveTheSameFrequencies) {
  expect_same_as_halves({.ignore = {"w"}, .min_count = 3, .ngrams = 2, .tfidf = true});
}

TEST(ManyTexts, HaveTheSameFeaturesBesideNestedNumbers) {
  const auto load_part = [&](std::size_t first, std::size_t last) {
    const std::string text = lines_of_texts(first, last);
    std::vector<Input> inputs = in_memory(text);
    return load_json_lines(inputs, {}, silent_log(), {}, 1 << 12);
  };
  const Loaded all = load_part(0, num_text_columns), left = load_part(num_text_columns / 2, num_text_columns),
               right = load_part(0, num_text_columns / 2);
  std::vector<std::string> names = table_reading::feature_names(all), expected;
  for (const Loaded* const half : {&left, &right})
    for (const std::string& name : table_reading::feature_names(*half)) expected.push_back(name);
  std::sort(names.begin(), names.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(names, expected);
  EXPECT_EQ(all.data.x.num_nonzeros(), left.data.x.num_nonzeros() + right.data.x.num_nonzeros());
}

}  // namespace
}  // namespace lazylogit::io
