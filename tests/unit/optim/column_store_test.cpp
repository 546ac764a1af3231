#include "lazylogit/optim/coordinate/column_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lazylogit/data/transpose.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

class Columns : public testing::TestWithParam<test::ValueKind> {};

// Whatever the order of demands, columns are those of the whole transpose; the last layer takes what is left.
TEST_P(Columns, are_those_of_the_transpose_however_they_were_asked_for) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 40, .num_features = 30, .shape = {.num_classes = 2, .reference = 0}, .values = GetParam()},
      prior::Uniform{});
  const data::SparseMatrix all = data::transposed(p->x);
  ColumnStore store(p->x);
  std::vector<std::uint8_t> wanted(30, 0);
  for (std::size_t i = 0; i < 30; i += 3) {
    EXPECT_EQ(store.has(i), store.num_layers() == 4);
    wanted[i] = 1;
    store.require(wanted);
    ASSERT_TRUE(store.has(i));
    const std::size_t layers = store.num_layers();
    store.require(wanted);
    EXPECT_EQ(store.num_layers(), layers);
    store.visit([&](const auto& view) {
      for (std::size_t h = 0; h < 30; ++h) {
        if (!store.has(h)) continue;
        const auto column = view.row(h);
        ASSERT_TRUE(std::ranges::equal(column.ids, all.row_ids(h)));
        for (std::size_t k = 0; k < column.size(); ++k)
          EXPECT_EQ(column.value(k), all.value(all.row_offsets[h] + k));
      }
    });
  }
  EXPECT_EQ(store.num_layers(), 4u);
  EXPECT_TRUE(store.has(1));
}

INSTANTIATE_TEST_SUITE_P(values, Columns,
                         testing::Values(test::ValueKind::ones, test::ValueKind::floats,
                                         test::ValueKind::doubles));

}  // namespace
}  // namespace lazylogit::optim
