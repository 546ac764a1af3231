// Rows without quotes take a short cut through the csv reader; the same rows with every cell in quotes take the long way.
// Whatever a table holds, both are the same data, for any number of threads and any size of blocks.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/io/formats/delimited.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

std::string digits(Random& random, std::size_t count) {
  std::string text;
  while (text.size() < count) text += static_cast<char>('0' + random.next() % 10);
  return text;
}

std::string number(Random& random) {
  const std::string sign = random.next() % 3 == 0 ? "-" : "";
  switch (random.next() % 8) {
    case 0:
      return "0";
    case 1:
      return sign + digits(random, 1 + random.next() % 3) + "e" + std::to_string(random.next() % 30);
    case 2:
      return sign + digits(random, 1 + random.next() % 12) + "." + digits(random, 1 + random.next() % 14);
    case 3:
      return " " + digits(random, 2);
    case 4:
      return sign + "." + digits(random, 1 + random.next() % 7);
    default:
      return sign + digits(random, 1 + random.next() % 4) +
             (random.next() % 2 == 0 ? "." + digits(random, random.next() % 5) : "");
  }
}

std::string category(Random& random) {
  static const std::vector<std::string> names = {"red",
                                                 "green",
                                                 "a",
                                                 "\xC3\xA4h",
                                                 "a name of more than sixteen bytes",
                                                 "a name of more than sixteen bites",
                                                 "17"};
  return names[random.next() % names.size()];
}

struct Table {
  std::vector<std::vector<std::string>> rows;  // the first one names the columns
  bool has_returns = false, ends_with_line = true;
  std::string text(bool quoted) const {
    std::string all;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < rows[r].size(); ++c) {
        all += (c == 0 ? "" : ",") + (quoted && r > 0 ? "\"" + rows[r][c] + "\"" : rows[r][c]);
      }
      if (r + 1 < rows.size() || ends_with_line) all += has_returns ? "\r\n" : "\n";
    }
    return all;
  }
};

Table random_table(Random& random) {
  Table table;
  table.has_returns = random.next() % 3 == 0;
  table.ends_with_line = random.next() % 4 != 0;
  const std::size_t num_columns = 1 + random.next() % 40, num_rows = 1 + random.next() % 60;
  const std::size_t place_of_label = random.next() % (num_columns + 1);
  enum Kind { numbers, counts, constant, categories, turns };
  std::vector<Kind> kinds;
  table.rows.emplace_back();
  for (std::size_t c = 0; c <= num_columns; ++c) {
    const std::uint64_t draw = random.next() % 12;
    kinds.push_back(draw < 6    ? numbers
                    : draw < 8  ? counts
                    : draw < 9  ? constant
                    : draw < 11 ? categories
                                : turns);
    table.rows[0].push_back(c == place_of_label ? "label" : "x" + std::to_string(c));
  }
  const bool ragged = random.next() % 4 == 0, with_missing = random.next() % 2 == 0;
  for (std::size_t r = 0; r < num_rows; ++r) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c <= num_columns; ++c) {
      if (c == place_of_label)
        row.push_back(r % 3 == 0 ? "yes" : "no");
      else if (with_missing && random.next() % 20 == 0)
        row.push_back(random.next() % 2 == 0 ? "" : "NA");
      else if (kinds[c] == numbers)
        row.push_back(number(random));
      else if (kinds[c] == counts)
        row.push_back(std::to_string(random.next() % 3));
      else if (kinds[c] == constant)
        row.push_back("2.50");
      else if (kinds[c] == categories)
        row.push_back(category(random));
      else
        row.push_back(r + 3 < num_rows ? number(random) : "late");
    }
    if (ragged && random.next() % 10 == 0) row.push_back("7");
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Everything that was learned, to the last bit; or the error without its place.
std::string outcome(const std::string& text, const ReadOptions& options, std::size_t block_bytes) {
  std::string all;
  try {
    std::vector<Input> inputs = table_reading::in_memory(text);
    const Loaded loaded = load_delimited(inputs, Format::csv, options, silent_log(), {}, block_bytes);
    const data::Dataset& data = loaded.data;
    all = std::to_string(loaded.summary.bad_rows) + " " + std::to_string(loaded.summary.dropped_rows) + "\n";
    for (const std::string& name : table_reading::feature_names(loaded)) all += name + "\n";
    for (const data::ColumnSpec& column : data.input.columns)
      all += column.name + " " + std::to_string(static_cast<int>(column.type)) + " " +
             std::to_string(std::bit_cast<std::uint64_t>(column.impute_number)) + " " +
             column.impute_category + "\n";
    for (std::size_t i = 0; i < data.num_rows(); ++i) {
      all += std::to_string(data.labels[i]) + ":";
      for (std::size_t k = data.x.row_offsets[i]; k < data.x.row_offsets[i + 1]; ++k)
        all += " " + std::to_string(data.x.ids[k]) + "=" +
               std::to_string(std::bit_cast<std::uint64_t>(data.x.value(k)));
      all += "\n";
    }
  } catch (const Error& error) {
    all = error.detail().code;
  }
  return all;
}

TEST(PlainRows, AreWhatTheyAreInQuotes) {
  Random random(11);
  int errors = 0;
  for (int round = 0; round < 400; ++round) {
    const Table table = random_table(random);
    ReadOptions options;
    options.target = "label";
    options.skip_bad_rows = round % 2 == 0;
    options.min_count = round % 5 == 0 ? 3 : 1;
    if (round % 7 == 0) options.missing = data::MissingPolicy::drop_row;
    if (round % 11 == 0) options.hash_bits = 6;
    const std::string plain = table.text(false);
    const std::string expected = outcome(table.text(true), options, default_block_bytes);
    errors += expected.find('\n') == std::string::npos ? 1 : 0;
    for (const std::size_t block_bytes : {default_block_bytes, std::size_t{300}, std::size_t{1500}})
      for (const std::size_t threads : {1U, 2U, 5U}) {
        const ThreadLimit limit(threads);
        ASSERT_EQ(outcome(plain, options, block_bytes), expected)
            << round << " " << block_bytes << " " << threads << "\n"
            << plain;
      }
  }
  EXPECT_LT(errors, 200);  // most tables are good
}

}  // namespace
}  // namespace lazylogit::io
