// Tables of a hashed stream: rows that are taken in one walk against the same rows taken the long way.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {
namespace {

struct Row {
  std::vector<FeatureId> ids;
  std::vector<double> values;
  std::string label;
  bool operator==(const Row&) const = default;
};
struct Read {
  std::vector<Row> rows;
  std::uint64_t bad_rows = 0;
};

Read read(const std::string& text, const ReadOptions& options) {
  const std::string file = testing::TempDir() + "/quick" + std::to_string(::getpid()) + ".csv";
  std::ofstream(file, std::ios::binary) << text;
  std::vector<Input> inputs = expand_inputs({file}, {});
  const data::InputSpec input = outline_stream(inputs, options, silent_log());
  GrowingNames names;
  const auto source = open_stream(std::move(inputs), input, names, options, silent_log(), {});
  Read all;
  for (data::Rows rows; source->next(rows);)
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      Row row;
      for (std::size_t k = rows.x.row_offsets[i]; k < rows.x.row_offsets[i + 1]; ++k) {
        row.ids.push_back(rows.x.ids[k]);
        row.values.push_back(rows.x.value(k));
      }
      row.label = names.labels.name(static_cast<FeatureId>(rows.labels[i]));
      all.rows.push_back(std::move(row));
    }
  all.bad_rows = source->summary().bad_rows;
  return all;
}

const char* const numbers[] = {
    "1",     "0", "-0", "0.25", "-3.5", "123456.789", "1e-3", " 2",      "+7", "0.123456789012",
    "1e400", "",  "NA", "x",    "9.",   "-",          "00.5", "12345678"};
const char* const words[] = {"a",
                             "v17",
                             "NA",
                             "Nina",
                             "null",
                             "nullable",
                             "?",
                             "",
                             " b",
                             "b ",
                             "Na",
                             "NaN",
                             "n",
                             "sixteen bytes xx",
                             "seventeen bytes x",
                             "\xC3\xA9t\xC3\xA9"};

// Records of three numbers, a word, a number, two words and a label; the first ones, which say what columns are, without odd cells.
std::string table(std::size_t count, bool quoted, const char* line_end, double odd_share) {
  Random random(4);
  double odd = 0;
  const auto number = [&] {
    return random.uniform() < odd ? numbers[random.below(std::size(numbers))] : numbers[random.below(5)];
  };
  const auto word = [&] {
    return random.uniform() < odd ? words[random.below(std::size(words))] : words[random.below(2)];
  };
  std::string text = std::string("p,q,r,w,s,u,v,label") + line_end;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 50) odd = odd_share;
    if (random.uniform() < odd / 8) text += std::string("p,q,r,w,s,u,v,label") + line_end;
    for (int k = 0; k < 3; ++k) text += std::string(number()) + ",";
    text += std::string(word()) + "," + number() + "," + word() + "," + word();
    const std::string label = random.uniform() < 0.5 ? "yes" : "no";
    text += "," + (quoted ? "\"" + label + "\"" : label) + line_end;
  }
  return text;
}

TEST(DelimitedQuick, TakesTheSameRowsAsTheLongWay) {
  for (const char* line_end : {"\n", "\r\n"})
    for (const double odd : {0.0, 0.02, 0.3})
      for (const int bits : {3, 18}) {  // three bits: features share slots, also within a row
        ReadOptions options;
        options.hash_bits = bits;
        options.skip_bad_rows = true;
        options.target = "label";
        options.categorical = {"w", "u", "v"};
        const Read plain = read(table(400, false, line_end, odd), options);
        const Read quoted = read(table(400, true, line_end, odd), options);
        EXPECT_EQ(plain.rows.size(), quoted.rows.size());
        EXPECT_TRUE(plain.rows == quoted.rows) << odd << ' ' << bits;
        EXPECT_EQ(plain.bad_rows, quoted.bad_rows);
        EXPECT_GT(plain.rows.size(), odd > 0.1 ? 20U : 300U);
      }
}

TEST(DelimitedQuick, HashesNamesOfEveryLength) {
  ReadOptions options;
  options.hash_bits = 30;
  options.target = "label";
  std::string header, row;
  std::vector<FeatureId> expected;
  for (std::size_t column = 1; column <= 20; ++column)
    for (std::size_t value = 1; value <= 16; ++value) {
      const std::string name = std::to_string(value) + std::string(column, 'c'), text(value, 'v');
      options.categorical.push_back(name);
      header += name + ",";
      row += text + ",";
      expected.push_back(static_cast<FeatureId>(hash_feature_name(name + "=" + text) & ((1U << 30) - 1)));
    }
  const Read all = read(header + "label\n" + row + "yes\n" + row + "no\n", options);
  ASSERT_EQ(all.rows.size(), 2U);
  EXPECT_EQ(all.rows[0].ids, expected);
  EXPECT_EQ(all.rows[1].ids, expected);
}

}  // namespace
}  // namespace lazylogit::io
