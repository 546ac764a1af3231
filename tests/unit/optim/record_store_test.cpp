// Records that grow, one after another or in the order of their first use.
#include "lazylogit/optim/online/record_store.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace lazylogit::optim {
namespace {

constexpr std::size_t width = 3;

std::vector<std::uint64_t> used(const RecordStore& store) {
  std::vector<std::uint64_t> all;
  std::array<std::uint64_t, 2> some;
  for (std::size_t from = 0; const std::size_t count = store.find_used(from, some);
       from = some[count - 1] + 1)
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  return all;
}

TEST(RecordStore, RecordsAreZeroUntilTheyAreWrittenAndKeepTheirNumbersAsTheStoreGrows) {
  for (const bool scattered : {false, true}) {
    RecordStore store(width, scattered);
    std::size_t size = 0;
    for (const std::size_t more : {5U, 6U, 2000U, 70000U}) {
      store.grow(more);
      EXPECT_EQ(store.size(), more);
      for (std::size_t i = size; i < more; ++i)
        for (std::size_t k = 0; k < width; ++k) ASSERT_EQ(std::as_const(store).at(i)[k], 0) << i;
      for (std::size_t i = more; i > size; i -= i > 3 ? 3 : i)
        if (i > size) store.at(i - 1)[1] = static_cast<double>(i);
      size = more;
      for (std::size_t i = 0; i < more; ++i) {
        const double* const r = std::as_const(store).at(i);
        ASSERT_TRUE(r[0] == 0 && (r[1] == 0 || r[1] == static_cast<double>(i + 1)) && r[2] == 0) << i;
      }
    }
    EXPECT_EQ(std::as_const(store).at(69999)[1], 70000);
    store.grow(10);
    EXPECT_EQ(store.size(), 70000U);
  }
}

TEST(RecordStore, AScatteredStoreKnowsWhatWasUsedAndPutsItSideBySide) {
  RecordStore store(width, true);
  store.grow(100);
  EXPECT_TRUE(used(store).empty());
  const FeatureId row[] = {90, 7, 41, 7};
  double* found[4] = {};
  store.find(row, found);
  EXPECT_EQ(found[1], found[3]);
  EXPECT_EQ(found[1], found[0] + width);
  EXPECT_EQ(found[2], found[0] + 2 * width);
  found[0][2] = 5;
  EXPECT_EQ(std::as_const(store).at(90)[2], 5);
  EXPECT_EQ(std::as_const(store).at(91)[2], 0);
  EXPECT_EQ(used(store), (std::vector<std::uint64_t>{7, 41, 90}));
}

TEST(RecordStore, AllRecordsOfAnOrdinaryStoreMayHaveBeenUsed) {
  RecordStore store(width);
  store.grow(5);
  EXPECT_EQ(used(store), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace lazylogit::optim
