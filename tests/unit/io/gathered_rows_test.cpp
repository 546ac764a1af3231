// Tables of numbers and categories take a way of their own through memory; a column of text makes them take the
// usual one.
#include <gtest/gtest.h>

#include <algorithm>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/formats/delimited.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::show;
using Lines = std::vector<std::string>;

struct Shape {
  std::size_t rows = 0;
  bool last_is_missing = false;
  bool with_text = false;  // the same for every row
};

std::string category(std::size_t row, bool missing) {
  if (missing) return "";
  return row % 7 == 0 ? "v" + std::to_string(row % 1000) : row % 2 == 0 ? "even" : "odd";
}

std::string table(const Shape& shape) {
  std::string text = shape.with_text ? "name,a,b,zero,c,w,z,y\n" : "name,a,b,zero,c,w,y\n";
  for (std::size_t r = 0; r < shape.rows; ++r) {
    const bool missing = shape.last_is_missing && r + 1 == shape.rows;
    text += "n" + std::to_string(r) + "," + (missing ? "" : std::to_string(r + 1)) + "," +
            std::to_string(r % 3) + ",0," + category(r, missing) + "," + std::to_string(1 + r % 2) +
            (shape.with_text ? ",u" : "") + (r % 5 == 0 ? ",yes\n" : ",no\n");
  }
  return text;
}

Loaded load_table_of(const Shape& shape, ReadOptions options = {}) {
  options.id = "name";
  options.weight = "w";
  if (shape.with_text) options.text = {"z"};
  return table_reading::load_string(Format::csv, table(shape), options, silent_log());
}

// Both ways, for enough rows to make several blocks of gathered ones.
void expect_same_rows(bool last_is_missing, const ReadOptions& options) {
  constexpr std::size_t rows = 200000;
  const Loaded numbers = load_table_of({rows, last_is_missing, false}, options);
  const Loaded usual = load_table_of({rows, last_is_missing, true}, options);
  ASSERT_EQ(numbers.data.num_rows(), rows);
  EXPECT_EQ(numbers.data.ids, usual.data.ids);
  EXPECT_TRUE(std::equal(numbers.data.weights.begin(), numbers.data.weights.end(), usual.data.weights.begin(),
                         usual.data.weights.end()));
  const Lines short_rows = show(numbers), long_rows = show(usual);
  ASSERT_EQ(short_rows.size(), long_rows.size());
  for (std::size_t r = 0; r < rows; ++r) ASSERT_EQ(short_rows[r] + " z:u~1", long_rows[r]);
}

TEST(GatheredRows, IsTheSameAsTheUsualWay) { expect_same_rows(false, {}); }
TEST(GatheredRows, IsTheSameWithMissingCells) { expect_same_rows(true, {}); }
TEST(GatheredRows, IsTheSameInFloat32) { expect_same_rows(false, {.precision = Precision::float32}); }
TEST(GatheredRows, IsTheSameWithoutRareColumns) { expect_same_rows(false, {.min_count = 150000}); }

TEST(GatheredRows, KeepsRowsWithoutEntriesAndStoresNoOnes) {
  const Loaded loaded =
      table_reading::load_string(Format::csv, "a,b,y\n0,0,u\n1,0,v\n0,1,u\n", {}, silent_log());
  EXPECT_EQ(show(loaded), (Lines{"u:", "v: a~1", "u: b~1"}));
  EXPECT_TRUE(std::holds_alternative<data::OnesValues>(loaded.data.x.values));
}

TEST(GatheredRows, LeavesRareCategoriesOutWhereNoValuesAreStored) {
  const Loaded loaded =
      table_reading::load_string(Format::csv, "a,b,y\nu,x,p\nv,x,q\nu,z,p\n", {.min_count = 2}, silent_log());
  EXPECT_EQ(show(loaded), (Lines{"p: a=u~1 b=x~1", "q: b=x~1", "p: a=u~1"}));
  EXPECT_TRUE(std::holds_alternative<data::OnesValues>(loaded.data.x.values));
}

TEST(GatheredRows, GivesTheSameMatrixForAnyBlocksAndThreads) {
  for (const bool missing : {false, true}) {
    const std::string text = table({40, missing, false});
    const ReadOptions options = {.ignore = {"name"}};
    const Lines expected = show(table_reading::load_string(Format::csv, text, options, silent_log()));
    for (const std::size_t threads : {1u, 2u, 5u})
      for (const std::size_t block : {1u, 20u, 64u}) {
        const ThreadLimit limit(threads);
        std::vector<Input> inputs = table_reading::in_memory(text);
        EXPECT_EQ(show(load_delimited(inputs, Format::csv, options, silent_log(), {}, block)), expected);
      }
  }
}

TEST(GatheredRows, HashesLikeTheUsualWay) {
  const Loaded numbers = load_table_of({50, true, false}, {.hash_bits = 12});
  const Loaded usual = load_table_of({50, true, true}, {.hash_bits = 12});
  for (std::size_t r = 0; r < 50; ++r)
    EXPECT_EQ(numbers.data.x.row_ids(r).size() + 1, usual.data.x.row_ids(r).size());
}

}  // namespace
}  // namespace lazylogit::io
