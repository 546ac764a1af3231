#include "lazylogit/data/encoded_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lazylogit::data {
namespace {

template <class Cell>
DenseColumn cells_of(const std::vector<Cell>& cells, CellType type) {
  return {reinterpret_cast<const std::byte*>(cells.data()), sizeof(Cell), 0, type};
}

using Row = std::vector<std::pair<FeatureId, double>>;

std::vector<Row> rows_of(const SparseMatrix& x) {
  std::vector<Row> rows;
  x.visit_rows([&](const auto& view) {
    for (std::size_t i = 0; i < view.num_rows; ++i) {
      const auto row = view.row(i);
      auto& to = rows.emplace_back();
      for (std::size_t k = 0; k < row.size(); ++k) to.emplace_back(row.ids[k], row.value(k));
    }
  });
  return rows;
}

TEST(EncodedSource, codes_become_the_features_that_stand_for_them) {
  const std::vector<std::int8_t> codes = {0, 2, -1, 1, 3};
  EncodedColumn column;
  column.cells = cells_of(codes, CellType::i8);
  auto book = std::make_shared<CodeBook>();
  for (const FeatureId feature : {5U, no_entry, 7U, missing_entry}) book->features.push_back(feature);
  column.book = book;
  column.missing = {EncodedEntry{7, 1}, EncodedEntry{8, 1}};
  EXPECT_EQ(rows_of(encoded_rows_over({{5, {column}}}, 9)),
            (std::vector<Row>{{{5, 1}}, {{7, 1}}, {{7, 1}, {8, 1}}, {}, {{7, 1}, {8, 1}}}));
}

TEST(EncodedSource, codes_may_stand_for_numbers) {
  const std::vector<std::uint16_t> codes = {1, 0, 1};
  EncodedColumn column;
  column.cells = cells_of(codes, CellType::u16);
  auto book = std::make_shared<CodeBook>();
  book->features = Buffer<FeatureId>(2, 4);
  book->values.push_back(0);
  book->values.push_back(2.5);
  column.book = book;
  EXPECT_EQ(rows_of(encoded_rows_over({{3, {column}}}, 5)), (std::vector<Row>{{{4, 2.5}}, {}, {{4, 2.5}}}));
}

TEST(EncodedSource, numbers_that_are_missing_have_a_stand_in) {
  const std::vector<double> numbers = {1.5, std::nan(""), 0, 2};
  const std::vector<std::byte> present = {std::byte{0b01110}};  // from bit 1 on: 1, 1, 1, 0
  EncodedColumn column;
  column.cells = cells_of(numbers, CellType::f64);
  column.present_bits = present.data();
  column.first_present = 1;
  column.feature = 0;
  column.missing = {EncodedEntry{0, 1.75}, EncodedEntry{1, 1}};
  EXPECT_EQ(rows_of(encoded_rows_over({{4, {column}}}, 2)),
            (std::vector<Row>{{{0, 1.5}}, {{0, 1.75}, {1, 1}}, {}, {{0, 1.75}, {1, 1}}}));
}

TEST(EncodedSource, batches_and_columns_follow_one_another) {
  constexpr std::size_t rows = 1000;
  std::vector<float> numbers;
  std::vector<std::int32_t> codes;
  std::vector<Row> expected;
  for (std::size_t r = 0; r < rows; ++r) {
    numbers.push_back(static_cast<float>(r % 3));
    codes.push_back(static_cast<std::int32_t>(r % 5));
    auto& row = expected.emplace_back();
    if (r % 3 != 0) row.emplace_back(0, r % 3);
    row.emplace_back(1 + r % 5, 1);
  }
  auto book = std::make_shared<CodeBook>();
  for (FeatureId f = 1; f <= 5; ++f) book->features.push_back(f);
  std::vector<EncodedBatch> batches;
  for (const auto& [first, last] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {0, 3}, {3, 601}, {601, rows}}) {
    EncodedColumn number, code;
    number.cells = {reinterpret_cast<const std::byte*>(numbers.data() + first), sizeof(float), 0,
                    CellType::f32};
    number.feature = 0;
    code.cells = {reinterpret_cast<const std::byte*>(codes.data() + first), sizeof(std::int32_t), 0,
                  CellType::i32};
    code.book = book;
    batches.push_back({last - first, {number, code}});
  }
  const SparseMatrix x = encoded_rows_over(batches, 6);
  EXPECT_EQ(rows_of(x), expected);
  EXPECT_EQ(rows_of(stored(x)), expected);
}

// Against the rules, but no reason to write or read where nothing is.
TEST(EncodedSource, cells_that_change_afterwards_stay_within_their_rows) {
  std::vector<std::int32_t> codes(3000, -5);
  auto book = std::make_shared<CodeBook>();
  book->features = Buffer<FeatureId>(1, 0);
  EncodedColumn column;
  column.cells = cells_of(codes, CellType::i32);
  column.book = book;
  const SparseMatrix x = encoded_rows_over({{codes.size(), {column, column, column}}}, 1);
  EXPECT_EQ(x.num_nonzeros(), 0U);
  for (const std::int32_t later : {0, 1'000'000}) {
    std::fill(codes.begin(), codes.end(), later);
    for (const Row& row : rows_of(x)) EXPECT_TRUE(row.empty());
  }
}

}  // namespace
}  // namespace lazylogit::data
