#include "lazylogit/data/row_source.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/compressed_sources.hpp"
#include "lazylogit/data/dense_rows.hpp"
#include "lazylogit/data/dense_source.hpp"
#include "lazylogit/data/transpose.hpp"

namespace lazylogit::data {
namespace {

constexpr std::size_t rows = 3000, columns = 37;

// Mostly present, some zeros, some empty and some full rows.
std::vector<double> cells() {
  Random random(5);
  std::vector<double> x(rows * columns);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      x[r * columns + c] = r % 11 == 3                              ? 0
                           : (r % 5 != 0 && random.uniform() < 0.4) ? 0
                                                                    : random.uniform() - 0.5;
  return x;
}

SparseMatrix as_stored(const std::vector<double>& x) {
  Buffer<double> values;
  values.append(x);
  return sparse_from_dense(std::move(values), rows, columns);
}

void expect_same(const SparseMatrix& found, const SparseMatrix& expected) {
  ASSERT_EQ(found.num_rows(), expected.num_rows());
  EXPECT_EQ(found.num_features, expected.num_features);
  EXPECT_EQ(found.num_nonzeros(), expected.num_nonzeros());
  const auto& values = std::get<Buffer<double>>(expected.values);
  const auto check = [&](std::size_t i) {
    return found.visit_rows([&](const auto& view) {
      const auto row = view.row(i);
      if (row.size() != expected.row_size(i)) return false;
      for (std::size_t k = 0; k < row.size(); ++k)
        if (row.ids[k] != expected.row_ids(i)[k] || row.value(k) != values[expected.row_offsets[i] + k])
          return false;
      return true;
    });
  };
  for (std::size_t i = 0; i < found.num_rows(); ++i) ASSERT_TRUE(check(i)) << "in order, row " << i;
  for (std::size_t i = 0; i < 400; ++i) ASSERT_TRUE(check(i * 1777 % found.num_rows())) << "in any order";
  // Blocks twice, as passes do, by several threads.
  std::atomic<bool> same = true;
  parallel_blocks(16, [&](std::size_t shard) {
    const std::size_t begin = found.num_rows() / 16 * shard, end = begin + found.num_rows() / 16;
    for (std::size_t first = begin; first < end; first += 50)
      for (int time = 0; time < 2; ++time)
        for (std::size_t i = first; i < std::min(end, first + 50); ++i) same = same && check(i);
  });
  EXPECT_TRUE(same);
}

DenseBatch strided(const double* first, std::size_t count, std::int64_t row_step, std::int64_t column_step) {
  DenseBatch batch{count, {}};
  for (std::size_t c = 0; c < columns; ++c)
    batch.columns.push_back(
        {reinterpret_cast<const std::byte*>(first + static_cast<std::int64_t>(c) * column_step), row_step * 8,
         0, CellType::f64});
  return batch;
}

TEST(RowSource, dense_rows_of_any_strides_are_the_rows) {
  const std::vector<double> x = cells();
  const SparseMatrix expected = as_stored(x);
  expect_same(dense_rows_over({strided(x.data(), rows, columns, 1)}, columns).matrix(), expected);
  std::vector<double> turned(x.size()), backwards(x.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      turned[c * rows + r] = x[r * columns + c];
      backwards[(rows - 1 - r) * columns + (columns - 1 - c)] = x[r * columns + c];
    }
  expect_same(dense_rows_over({strided(turned.data(), rows, 1, rows)}, columns).matrix(), expected);
  expect_same(dense_rows_over({strided(backwards.data() + backwards.size() - 1, rows,
                                       -static_cast<std::int64_t>(columns), -1)},
                              columns)
                  .matrix(),
              expected);
}

TEST(RowSource, batches_follow_one_another) {
  const std::vector<double> x = cells();
  std::vector<DenseBatch> batches;
  for (const auto& [first, last] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {0, 7}, {7, 7}, {7, 1500}, {1500, rows}, {rows, rows}})
    batches.push_back(strided(x.data() + first * columns, last - first, columns, 1));
  expect_same(dense_rows_over(batches, columns).matrix(), as_stored(x));
}

TEST(RowSource, columns_may_be_of_any_type_of_number) {
  const std::uint16_t halves[] = {0x3C00, 0x0000, 0xC000};  // 1, 0, −2
  const std::int8_t small[] = {-3, 0, 4};
  const bool flags[] = {true, false, true};
  const std::uint8_t bits = 0b1010;  // from bit 1 on: 1, 0, 1
  const std::uint64_t large[] = {std::uint64_t{1} << 63, 0, 5};
  const float single[] = {0.5F, 0, -1};
  const auto at = [](const auto& cells, CellType type) {
    return DenseColumn{reinterpret_cast<const std::byte*>(&cells[0]), sizeof cells[0], 0, type};
  };
  DenseBatch batch{3,
                   {at(halves, CellType::f16),
                    at(small, CellType::i8),
                    at(flags, CellType::boolean),
                    {reinterpret_cast<const std::byte*>(&bits), 0, 1, CellType::bit},
                    at(large, CellType::u64),
                    at(single, CellType::f32)}};
  const DenseRows found = dense_rows_over({batch}, 6);
  EXPECT_FALSE(found.is_single);
  const SparseMatrix x = stored(found.matrix());
  const std::vector<double> expected = {1, -3, 1, 1, std::ldexp(1.0, 63), 0.5, -2, 4, 1, 1, 5, -1};
  ASSERT_EQ(x.num_nonzeros(), expected.size());
  EXPECT_EQ(x.row_size(1), 0U);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(x.value(k), expected[k]) << k;
}

// Against the rules, but no reason to write or read where nothing is.
TEST(RowSource, values_that_change_afterwards_stay_within_their_rows) {
  const auto expect_in_range = [](const SparseMatrix& x) {
    x.visit_rows([&](const auto& view) {
      for (std::size_t i = 0; i < rows; ++i) {
        const auto row = view.row(i);
        for (std::size_t k = 0; k < row.size(); ++k) ASSERT_LT(row.ids[k], columns);
      }
    });
  };
  std::vector<std::int32_t> row_ends, column_ends, of_rows, of_columns;
  for (std::size_t r = 0; r <= rows; ++r) row_ends.push_back(static_cast<std::int32_t>(r * columns));
  for (std::size_t c = 0; c <= columns; ++c) column_ends.push_back(static_cast<std::int32_t>(c * rows));
  for (std::size_t k = 0; k < rows * columns; ++k) {
    of_rows.push_back(static_cast<std::int32_t>(k % columns));
    of_columns.push_back(static_cast<std::int32_t>(k % rows));
  }
  for (const double later : {0.0, 1.0}) {
    std::vector<double> x = cells();
    const SparseMatrix all[] = {dense_rows_over({strided(x.data(), rows, columns, 1)}, columns).matrix(),
                                dense_rows_over({strided(x.data(), rows, 1, rows)}, columns).matrix(),
                                rows_over(CompressedArrays<std::int32_t, double>{
                                    row_ends.data(), of_rows.data(), x.data(), rows, columns}),
                                columns_over(CompressedArrays<std::int32_t, double>{
                                    column_ends.data(), of_columns.data(), x.data(), rows, columns})};
    std::fill(x.begin(), x.end(), later);
    for (const SparseMatrix& one : all) expect_in_range(one);
  }
}

TEST(RowSource, values_that_are_not_finite_are_found) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    std::vector<double> x = cells();
    x[1234 * columns + 5] = bad;
    for (const DenseBatch& batch : {strided(x.data(), rows, columns, 1), strided(x.data(), rows, 1, rows)}) {
      const DenseRows found = dense_rows_over({batch}, columns);
      EXPECT_EQ(found.source, nullptr);
      EXPECT_FALSE(std::isfinite(found.not_finite));
    }
  }
}

template <class Index>
struct Compressed {
  std::vector<Index> ends{0}, places;
  std::vector<double> values;
};

// By rows or by columns, with some zeros stored.
template <class Index>
Compressed<Index> compressed(const std::vector<double>& x, bool by_columns) {
  Compressed<Index> result;
  for (std::size_t i = 0; i < (by_columns ? columns : rows); ++i) {
    for (std::size_t k = 0; k < (by_columns ? rows : columns); ++k) {
      const double value = by_columns ? x[k * columns + i] : x[i * columns + k];
      if (value == 0 && (i + k) % 3 != 0) continue;
      result.places.push_back(static_cast<Index>(k));
      result.values.push_back(value);
    }
    result.ends.push_back(static_cast<Index>(result.places.size()));
  }
  return result;
}

template <class Index>
void expect_compressed_forms() {
  const std::vector<double> x = cells();
  const SparseMatrix expected = as_stored(x);
  const Compressed<Index> r = compressed<Index>(x, false), c = compressed<Index>(x, true);
  expect_same(rows_over(CompressedArrays<Index, double>{r.ends.data(), r.places.data(), r.values.data(), rows,
                                                        columns}),
              expected);
  const SparseMatrix by_columns = columns_over(
      CompressedArrays<Index, double>{c.ends.data(), c.places.data(), c.values.data(), rows, columns});
  expect_same(by_columns, expected);
  expect_same(stored(transposed(by_columns)), transposed(expected));
}

TEST(RowSource, compressed_rows_and_columns_with_narrow_indices) { expect_compressed_forms<std::int32_t>(); }
TEST(RowSource, compressed_rows_and_columns_with_wide_indices) { expect_compressed_forms<std::int64_t>(); }

TEST(RowSource, columns_of_few_entries_between_columns_of_many) {
  for (const std::size_t many :
       {std::size_t{1}, std::size_t{3}, columns + 1}) {  // every so many columns is a long one
    std::vector<double> x = cells();
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        if (c % many != 1 % many && (r * 31 + c) % 97 != 0) x[r * columns + c] = 0;
    const SparseMatrix expected = as_stored(x);
    const Compressed<std::int32_t> narrow = compressed<std::int32_t>(x, true);
    const Compressed<std::int64_t> wide = compressed<std::int64_t>(x, true);
    expect_same(columns_over(CompressedArrays<std::int32_t, double>{narrow.ends.data(), narrow.places.data(),
                                                                    narrow.values.data(), rows, columns}),
                expected);
    expect_same(columns_over(CompressedArrays<std::int64_t, double>{wide.ends.data(), wide.places.data(),
                                                                    wide.values.data(), rows, columns}),
                expected);
  }
}

TEST(RowSource, columns_without_zeros_are_their_own_transposed_matrix) {
  const std::vector<std::int32_t> ends{0, 2, 3}, places{0, 2, 1};
  const std::vector<float> values{1, 2, 3};
  const SparseMatrix x =
      columns_over(CompressedArrays<std::int32_t, float>{ends.data(), places.data(), values.data(), 3, 2});
  const SparseMatrix turned = transposed(x);
  EXPECT_EQ(static_cast<const void*>(turned.ids.data()), static_cast<const void*>(places.data()));
  EXPECT_EQ(std::get<Buffer<float>>(turned.values).data(), values.data());
  EXPECT_EQ(turned.num_features, 3U);
}

// One entry per row, of another feature each time the row is asked for.
class Fickle final : public RowSource {
 public:
  explicit Fickle(std::size_t count) {
    offsets_.resize(count + 1);
    for (std::size_t r = 0; r <= count; ++r) offsets_[r] = r;
    limit_pieces(1, 1, 1);
  }

 private:
  void gather(Piece& piece, Worker&) const noexcept override {
    piece.ids[0] = ++calls_ % 3 == 0 ? 1 : 0;
    piece.values[0] = 1;
    piece.id_places[0] = piece.ids.data();
    piece.value_places[0] = piece.values.data();
  }
  mutable std::atomic<FeatureId> calls_ = 0;
};

TEST(RowSource, rows_that_change_while_they_are_turned_stay_within_their_columns) {
  constexpr std::size_t count = 1001;
  for (const std::vector<std::uint8_t>& wanted : {std::vector<std::uint8_t>{1, 1}, {0, 1}, {1, 0}}) {
    const SparseMatrix turned = transposed(matrix_over<double>(std::make_shared<Fickle>(count), 2), wanted);
    ASSERT_EQ(turned.num_rows(), 2U);
    ASSERT_EQ(turned.ids.size(), turned.row_offsets[2]);
    for (const FeatureId row : turned.ids) EXPECT_LT(row, count);
    for (const double value : std::get<Buffer<double>>(turned.values)) EXPECT_TRUE(value == 0 || value == 1);
  }
}

TEST(RowSource, room_is_made_for_threads_before_they_come) {
  const std::vector<double> x = cells();
  const SparseMatrix turned = dense_rows_over({strided(x.data(), rows, columns, 1)}, columns).matrix();
  turned.source->make_room(7);
  expect_same(turned, as_stored(x));
  EXPECT_GE(reading_threads(), 2U);
}

TEST(RowSource, nothing_is_a_matrix_too) {
  EXPECT_EQ(dense_rows_over({}, 4).matrix().num_rows(), 0U);
  EXPECT_EQ(stored(dense_rows_over({DenseBatch{5, {}}}, 0).matrix()).num_nonzeros(), 0U);
}

}  // namespace
}  // namespace lazylogit::data
