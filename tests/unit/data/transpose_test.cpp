#include "lazylogit/data/transpose.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/parallel.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::data {
namespace {

class Transposed : public testing::TestWithParam<test::ValueKind> {};

TEST_P(Transposed, has_every_entry_at_its_mirror_place) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 57, .num_features = 23, .shape = {.num_classes = 2, .reference = 0}, .values = GetParam()},
      prior::Uniform{});
  const SparseMatrix t = transposed(p->x);
  ASSERT_EQ(t.num_rows(), p->x.num_features);
  ASSERT_EQ(t.num_features, p->x.num_rows());
  ASSERT_EQ(t.num_nonzeros(), p->x.num_nonzeros());
  EXPECT_EQ(t.values.index(), p->x.values.index());
  for (std::size_t i = 0; i < t.num_rows(); ++i)
    for (std::size_t k = t.row_offsets[i]; k < t.row_offsets[i + 1]; ++k) {
      if (k > t.row_offsets[i]) {
        EXPECT_LT(t.ids[k - 1], t.ids[k]);
      }
      const auto row = p->x.row_ids(t.ids[k]);
      const auto at = std::lower_bound(row.begin(), row.end(), static_cast<FeatureId>(i));
      ASSERT_TRUE(at != row.end() && *at == i);
      const std::size_t entry = p->x.row_offsets[t.ids[k]] + static_cast<std::size_t>(at - row.begin());
      EXPECT_EQ(t.value(k), p->x.value(entry));
    }
}

TEST_P(Transposed, of_some_features_has_their_columns_alone) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 57, .num_features = 23, .shape = {.num_classes = 2, .reference = 0}, .values = GetParam()},
      prior::Uniform{});
  const SparseMatrix all = transposed(p->x);
  std::vector<std::uint8_t> wanted(23, 0);
  for (const std::size_t i : {0u, 4u, 5u, 21u}) wanted[i] = 1;
  const SparseMatrix some = transposed(p->x, wanted);
  ASSERT_EQ(some.num_rows(), all.num_rows());
  EXPECT_EQ(some.num_features, all.num_features);
  EXPECT_EQ(some.num_nonzeros(), some.row_offsets[23]);
  for (std::size_t i = 0; i < 23; ++i) {
    const auto ids = some.row_ids(i), expected = all.row_ids(i);
    ASSERT_EQ(ids.size(), wanted[i] != 0 ? expected.size() : 0u);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      EXPECT_EQ(ids[k], expected[k]);
      EXPECT_EQ(some.value(some.row_offsets[i] + k), all.value(all.row_offsets[i] + k));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(values, Transposed,
                         testing::Values(test::ValueKind::ones, test::ValueKind::floats,
                                         test::ValueKind::doubles));

TEST(transposed, is_the_same_for_every_number_of_threads) {
  SparseMatrix x;
  Random random(3);
  x.num_features = 50;
  for (std::size_t j = 0; j < 60'000; ++j) {
    for (std::size_t i = 0; i < 50; ++i)
      if (random.below(2) == 0) x.ids.push_back(static_cast<FeatureId>(i));
    x.row_offsets.push_back(x.ids.size());
  }
  const ThreadLimit one(1);
  const SparseMatrix first = transposed(x);
  for (const std::size_t threads : {2u, 5u}) {
    const ThreadLimit several(threads);
    const SparseMatrix again = transposed(x);
    EXPECT_TRUE(std::equal(first.ids.begin(), first.ids.end(), again.ids.begin()));
    EXPECT_TRUE(std::equal(first.row_offsets.begin(), first.row_offsets.end(), again.row_offsets.begin()));
  }
}

TEST(transposed, takes_data_without_rows_or_features) {
  EXPECT_EQ(transposed({}).num_nonzeros(), 0u);
  SparseMatrix x;
  x.num_features = 4;
  EXPECT_EQ(transposed(x).num_rows(), 4u);
}

}  // namespace
}  // namespace lazylogit::data
