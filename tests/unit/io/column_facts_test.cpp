#include "lazylogit/io/columns/column_facts.hpp"

#include <gtest/gtest.h>

namespace lazylogit::io {
namespace {

TEST(ColumnFacts, ANumberOtherThanTheFirstMakesAColumnVaried) {
  ColumnFacts facts;
  facts.add_number(0);
  facts.add_number(-0.0);
  EXPECT_EQ(facts.varied, 0U);
  facts.add_number(2);
  EXPECT_EQ(facts.varied, 1U);
  EXPECT_EQ(facts.first, 0.0);
}

TEST(ColumnFacts, RowsThatFollowAddToThoseBefore) {
  TableFacts table(2), block(2);
  table[0].add_number(3);
  table[0].add_missing(5);
  block[0].add_number(4);
  block[0].add_missing(std::uint64_t{1} << 40);
  block[1].add_number(7);
  for (std::size_t c = 0; c < 2; ++c) table.merge(c, block);
  EXPECT_EQ(table[0].first, 3);
  EXPECT_EQ(table[0].varied, 1U);
  EXPECT_EQ(table[0].missing, (std::uint64_t{1} << 40) + 5);
  EXPECT_EQ(table[1].first, 7);
  EXPECT_EQ(table[1].varied, 0U);
  EXPECT_FALSE(table.rare(0).has_non_number());
}

TEST(ColumnFacts, TheFirstExampleStaysAndTheRestIsAddedUp) {
  TableFacts table(3);
  for (std::uint64_t line = 4; line < 8; ++line) {
    TableFacts block(3);
    RareFacts& rare = block.make_rare(1);
    rare.present = 2;
    rare.non_number = {.line = line, .text = std::to_string(line)};
    rare.texts = std::make_unique<RareFacts::Texts>();
    rare.texts->with_blanks = 1;
    rare.texts->hashes = {9, line % 2};
    if (line > 5) rare.nested = std::make_unique<CellExample>(CellExample{.line = line});
    for (std::size_t c = 0; c < 3; ++c) table.merge(c, block);
  }
  table.count_distinct();
  const RareFacts& rare = table.rare(1);
  EXPECT_EQ(rare.present, 8U);
  EXPECT_EQ(rare.non_number.text, "4");
  EXPECT_EQ(rare.nested->line, 6U);
  EXPECT_EQ(rare.texts->with_blanks, 4U);
  EXPECT_EQ(rare.texts->hashes, (std::vector<std::uint64_t>{0, 1, 9}));
  EXPECT_EQ(table.rare(0).present, 0U);
  EXPECT_FALSE(table.any_missing());
}

}  // namespace
}  // namespace lazylogit::io
