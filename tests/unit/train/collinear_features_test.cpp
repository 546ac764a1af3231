#include "lazylogit/train/collinear_features.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"

namespace lazylogit::train {
namespace {

data::Dataset make_data(const std::vector<std::string>& names,
                        const std::function<std::vector<double>(Random&)>& make_row) {
  data::Dataset data;
  for (const std::string& name : names) data.features.append(name);
  Random random(5);
  Buffer<double> values;
  constexpr std::size_t rows = 200;
  for (std::size_t j = 0; j < rows; ++j) values.append(make_row(random));
  data.x = data::sparse_from_dense(std::move(values), rows, names.size());
  return data;
}

TEST(CollinearFeatures, CombinationsAreNamedWithTheirParts) {
  const data::Dataset data = make_data({"a", "b", "sum", "other"}, [](Random& random) {
    const double a = 10 + random.normal(), b = 300 * random.normal() - 20;
    return std::vector<double>{a, b, a + 2 * b + 7, random.normal()};
  });
  const std::vector<Dependency> found = collinear_features(data.x, {});
  ASSERT_EQ(found.size(), 1U);
  std::vector<std::size_t> all = found[0].others;
  all.push_back(found[0].feature);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(CollinearFeatures, MultiplesAndFullSetsOfCategoriesAreFound) {
  const data::Dataset data = make_data({"euro", "cent", "job=a", "job=b", "job=c"}, [](Random& random) {
    const double euro = random.normal();
    std::vector<double> row{euro, 100 * euro, 0, 0, 0};
    row[2 + random.below(3)] = 1;
    return row;
  });
  const std::string sentence = collinear_sentence(data, {});
  EXPECT_NE(sentence.find("is a multiple of"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("is a combination of"), std::string::npos) << sentence;
  EXPECT_EQ(collinear_features(data.x, {}).size(), 2U);
}

TEST(CollinearFeatures, IndependentColumnsAreNot) {
  const data::Dataset data = make_data({"year", "x", "near"}, [](Random& random) {
    const double x = random.normal();
    return std::vector<double>{2000 + 10 * random.normal(), x, x + 1e-3 * random.normal()};
  });
  EXPECT_TRUE(collinear_features(data.x, {}).empty());
  EXPECT_EQ(collinear_sentence(data, {}), "");
}

}  // namespace
}  // namespace lazylogit::train
