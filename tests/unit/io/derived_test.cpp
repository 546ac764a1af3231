#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/derived/quantile_bins.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::feature_names;
using table_reading::show;
using Lines = std::vector<std::string>;

// A file that is there as long as the test.
std::string file_of(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "derived_" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Loaded load_file(const std::string& file, const DerivedOptions& derived, ReadOptions options = {}) {
  options.derived = derived;
  return load({file}, options, silent_log(), {});
}

std::string fault(const std::string& file, const DerivedOptions& derived, const ReadOptions& options = {}) {
  try {
    load_file(file, derived, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// The rows of `file` under what `loaded` learned.
data::Rows applied(const Loaded& loaded, const std::string& file) {
  const FixedNames names{&loaded.data.input, &loaded.data.features, &loaded.data.idf, &loaded.data.classes,
                         loaded.data.x.num_features};
  return load_with({file}, names, {}, silent_log(), {}, nullptr);
}

void expect_same_rows(const data::SparseMatrix& a, const data::SparseMatrix& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  ASSERT_EQ(a.num_nonzeros(), b.num_nonzeros());
  for (std::size_t k = 0; k < a.num_nonzeros(); ++k) {
    EXPECT_EQ(a.ids[k], b.ids[k]);
    EXPECT_EQ(a.value(k), b.value(k));
  }
}

const std::string people = "age,job,size,y\n20,cook,2,a\n30,smith,0,b\n40,cook,3,b\n";

TEST(Derived, ProductsOfANumberAndACategoryHaveReadableNames) {
  const std::string file = file_of("p.csv", people);
  const Loaded loaded = load_file(file, {.interactions = {"age*job"}});
  EXPECT_EQ(feature_names(loaded),
            (Lines{"age", "job=cook", "job=smith", "size", "age*job=cook", "age*job=smith"}));
  EXPECT_EQ(show(loaded),
            (Lines{"a: age~20 job=cook~1 size~2 age*job=cook~20", "b: age~30 job=smith~1 age*job=smith~30",
                   "b: age~40 job=cook~1 size~3 age*job=cook~40"}));
  expect_same_rows(loaded.data.x, applied(loaded, file).x);
}

TEST(Derived, PolynomialsHoldAllPowersAndProductsOfNumbers) {
  const std::string file = file_of("p.csv", people);
  const Loaded loaded = load_file(file, {.polynomial = 3});
  EXPECT_EQ(feature_names(loaded), (Lines{"age", "job=cook", "job=smith", "size", "age^2", "age*size",
                                          "size^2", "age^3", "age^2*size", "age*size^2", "size^3"}));
  EXPECT_EQ(show(loaded)[0],
            "a: age~20 job=cook~1 size~2 age^2~400 age*size~40 size^2~4 age^3~8000 age^2*size~800 "
            "age*size^2~80 size^3~8");
  expect_same_rows(loaded.data.x, applied(loaded, file).x);
}

TEST(Derived, ThreeFactorsRepeatedOperandsAndEveryColumn) {
  const std::string file = file_of("p.csv", people);
  EXPECT_EQ(feature_names(load_file(file, {.interactions = {"job*age*job", "age*job*size"}})),
            (Lines{"age", "job=cook", "job=smith", "size", "age*job=cook*size"}));
  EXPECT_EQ(feature_names(load_file(file, {.interactions = {"size*size"}})),
            (Lines{"age", "job=cook", "job=smith", "size", "size^2"}));
  EXPECT_EQ(feature_names(load_file(file, {.interactions = {"size*."}})),
            (Lines{"age", "job=cook", "job=smith", "size", "size*age", "size*job=cook"}));
  EXPECT_EQ(feature_names(load_file(file, {.interactions = {".*."}})),
            (Lines{"age", "job=cook", "job=smith", "size", "age*job=cook", "age*job=smith", "age*size",
                   "job=cook*size"}));
  // The same product of two terms is there once.
  EXPECT_EQ(show(load_file(file, {.interactions = {"age*size", "size*age"}, .polynomial = 2}))[0],
            "a: age~20 job=cook~1 size~2 age^2~400 age*size~40 size^2~4");
}

TEST(Derived, ColumnsWithStarsInTheirNamesAreFound) {
  const std::string file = file_of("p.csv", "a*b,c,y\n2,3,u\n4,5,v\n");
  EXPECT_EQ(feature_names(load_file(file, {.interactions = {"a*b*c"}})), (Lines{"a*b", "c", "a*b*c"}));
}

TEST(Derived, LogarithmsAndBinsStandBesideTheColumn) {
  const std::string file = file_of("p.csv", people);
  const Loaded loaded = load_file(file, {.interactions = {"log(age)*job", "bins(age)*job"},
                                         .log = {"age"},
                                         .log1p = {"size"},
                                         .bins = {"age=3"}});
  EXPECT_EQ(feature_names(loaded),
            (Lines{"age", "job=cook", "job=smith", "size", "log(age)", "log1p(size)", "age=[-inf,30)",
                   "age=[30,40)", "age=[40,inf)", "log(age)*job=cook", "age=[-inf,30)*job=cook",
                   "age=[40,inf)*job=cook", "log(age)*job=smith", "age=[30,40)*job=smith"}));
  expect_same_rows(loaded.data.x, applied(loaded, file).x);
  EXPECT_DOUBLE_EQ(loaded.data.x.value(3), std::log(20.0));
  EXPECT_DOUBLE_EQ(loaded.data.x.value(4), std::log1p(2.0));
}

TEST(Derived, BinsHaveEdgesAtQuantilesAndNoEmptyOnes) {
  EXPECT_EQ(quantile_edges({1, 2, 3, 4}, {}, 2), (std::vector<double>{3}));
  EXPECT_EQ(quantile_edges({4, 3, 2, 1}, {}, 4), (std::vector<double>{2, 3, 4}));
  EXPECT_EQ(quantile_edges({1, 1, 1, 1, 5}, {}, 3), (std::vector<double>{5}));
  EXPECT_EQ(quantile_edges({7, 7, 7}, {}, 3), (std::vector<double>{}));
  EXPECT_EQ(quantile_edges({}, {}, 3), (std::vector<double>{}));
}

TEST(Derived, EdgesCountARowOfWeightTwoAsTwoRows) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values, weights, repeated;
    for (std::size_t i = 0; i < 1 + random.next() % 20; ++i) {
      values.push_back(static_cast<double>(random.next() % 9));
      weights.push_back(static_cast<double>(random.next() % 4));
      repeated.insert(repeated.end(), static_cast<std::size_t>(weights.back()), values.back());
    }
    const int bins = 2 + static_cast<int>(random.next() % 5);
    EXPECT_EQ(quantile_edges(values, weights, bins), quantile_edges(repeated, {}, bins));
  }
  EXPECT_EQ(quantile_edges({1, 2, 3}, {0.5, 0.25, 0.25}, 2), (std::vector<double>{2}));
}

TEST(Derived, UnderTheUniformPriorTheFirstBinHasNoFeature) {
  const std::string file = file_of("p.csv", people);
  const Loaded loaded = load_file(file, {.bins = {"age=2"}}, {.drop_first_category = true});
  EXPECT_EQ(feature_names(loaded), (Lines{"age", "job=smith", "size", "age=[40,inf)"}));
  expect_same_rows(loaded.data.x, applied(loaded, file).x);
}

TEST(Derived, MissingCellsTakeNoPartButTheirStandInDoes) {
  const std::string file = file_of("p.csv", "age,job,y\n20,cook,a\n,smith,b\n40,,b\n");
  const Loaded loaded = load_file(file, {.interactions = {"age*job"}, .bins = {"age=2"}});
  EXPECT_EQ(show(loaded)[1], "b: age~30 age=missing~1 job=smith~1 age=[-inf,40)~1 age*job=smith~30");
  expect_same_rows(loaded.data.x, applied(loaded, file).x);
}

TEST(Derived, NormsCoverTheWholeRow) {
  const std::string file = file_of("p.csv", "a,b,y\n3,4,u\n0,0,v\n-6,8,v\n");
  const Loaded l2 = load_file(file, {.normalize = data::RowNorm::l2});
  EXPECT_EQ(show(l2), (Lines{"u: a~0.6 b~0.8", "v:", "v: a~-0.6 b~0.8"}));
  EXPECT_EQ(show(load_file(file, {.normalize = data::RowNorm::max}))[0], "u: a~0.75 b~1");
  EXPECT_EQ(show(load_file(file, {.interactions = {"a*b"}, .normalize = data::RowNorm::max}))[2],
            "v: a~-0.125 b~0.1666666667 a*b~-1");
  expect_same_rows(l2.data.x, applied(l2, file).x);
}

TEST(Derived, HashedProductsAreTheSameRowsUnderSlots) {
  const std::string file = file_of("p.csv", people);
  const DerivedOptions derived{.interactions = {"age*job"}, .polynomial = 2, .normalize = data::RowNorm::l2};
  const Loaded named = load_file(file, derived);
  const Loaded hashed = load_file(file, derived, {.hash_bits = 24});
  EXPECT_EQ(hashed.summary.hashed_features, named.data.features.size());
  EXPECT_EQ(hashed.summary.shared_slots, 0U);
  EXPECT_EQ(hashed.data.x.num_nonzeros(), named.data.x.num_nonzeros());
  expect_same_rows(hashed.data.x, applied(hashed, file).x);
  EXPECT_NE(fault(file, derived, {.hash_bits = 10, .tfidf = true}).find("--tfidf"), std::string::npos);
}

TEST(Derived, NamespacesAndFeaturesOfVwAreOperands) {
  const std::string file = file_of("p.vw", "1 |u bob age:3 |i news sport:2\n-1 |u ann |i sport\n");
  const Loaded loaded = load_file(file, {.interactions = {"u*i"}});
  EXPECT_EQ(
      show(loaded)[0],
      "1: u^bob~1 u^age~3 i^news~1 i^sport~2 u^bob*i^news~1 u^bob*i^sport~2 u^age*i^news~3 u^age*i^sport~6");
  expect_same_rows(loaded.data.x, applied(loaded, file).x);
  EXPECT_EQ(show(load_file(file, {.interactions = {"u^age*u^age"}}))[0],
            "1: u^bob~1 u^age~3 i^news~1 i^sport~2 u^age*u^age~9");
  EXPECT_NE(fault(file, {.interactions = {"user*i"}}).find("no namespace or feature is called \"user\""),
            std::string::npos);
}

TEST(Derived, NumberedFeaturesAndWordsMakeProducts) {
  const std::string svm = file_of("p.svm", "1 2:2 10:3\n0 2:1\n");
  EXPECT_EQ(feature_names(load_file(svm, {.polynomial = 2})), (Lines{"2", "10", "2^2", "2*10", "10^2"}));
  const std::string text = file_of("p.txt", "a\tgood film good\nb\tbad film\n");
  const Loaded loaded = load_file(text, {.interactions = {"text*text"}}, {.format = Format::text});
  EXPECT_EQ(show(loaded), (Lines{"a: good~2 film~1 film*good~2", "b: film~1 bad~1 bad*film~1"}));
  expect_same_rows(loaded.data.x, applied(loaded, text).x);
}

TEST(Derived, RareProductsAreDroppedWithMinCount) {
  const std::string file = file_of("p.csv", people);
  EXPECT_EQ(feature_names(load_file(file, {.interactions = {"age*job"}}, {.min_count = 2})),
            (Lines{"age", "job=cook", "size", "age*job=cook"}));
}

TEST(Derived, StreamsDeriveTheSameRowsAsTheyCome) {
  const std::string file = file_of("p.csv", people);
  ReadOptions options;
  options.derived = {.interactions = {"age*job"}, .polynomial = 2, .log = {"age"}};
  const Loaded loaded = load({file}, options, silent_log(), {});
  std::vector<Input> inputs = expand_inputs({file}, {});
  const data::InputSpec input = outline_stream(inputs, options, silent_log());
  GrowingNames names;
  const auto source = open_stream(std::move(inputs), input, names, options, silent_log(), {});
  data::Rows rows;
  ASSERT_TRUE(source->next(rows));
  EXPECT_EQ(rows.x.num_nonzeros(), loaded.data.x.num_nonzeros());
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = rows.x.row_offsets[i]; k < rows.x.row_offsets[i + 1]; ++k) {
      const auto id = loaded.data.features.find(names.features.name(rows.x.ids[k]));
      ASSERT_TRUE(id) << names.features.name(rows.x.ids[k]);
      bool found = false;
      for (std::size_t m = loaded.data.x.row_offsets[i]; m < loaded.data.x.row_offsets[i + 1]; ++m)
        found = found || (loaded.data.x.ids[m] == *id && loaded.data.x.value(m) == rows.x.value(k));
      EXPECT_TRUE(found) << i;
    }
}

TEST(Derived, RefusesWhatCannotBeMeant) {
  const std::string file = file_of("p.csv", people);
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos ? true : (ADD_FAILURE() << text, false);
  };
  EXPECT_TRUE(has(fault(file, {.interactions = {"age*jbo"}}), "did you mean \"job\"?"));
  EXPECT_TRUE(has(fault(file, {.log = {"agee"}}), "did you mean \"age\"?"));
  EXPECT_TRUE(has(fault(file, {.log = {"size"}}),
                  "p.csv:3:10: error: column \"size\": found \"0\", expected a number above 0"));
  EXPECT_TRUE(has(fault(file, {.log = {"job"}}), "holds categories"));
  EXPECT_TRUE(has(fault(file, {.bins = {"age"}}), "expected a column and a number of bins"));
  EXPECT_TRUE(has(fault(file, {.interactions = {"age"}}), "expected two to six names"));
  EXPECT_TRUE(has(fault(file, {.interactions = {"age*y"}}), "is no feature"));
  const std::string large = file_of("l.csv", "a,y\n1e200,u\n1,v\n");
  EXPECT_TRUE(has(fault(large, {.polynomial = 2}), "row 1: the product \"a^2\" is inf"));
  const std::string same = file_of("s.csv", "a,a^2,y\n1,1,u\n2,3,v\n");
  EXPECT_TRUE(has(fault(same, {.interactions = {"a*a"}}), "the same name \"a^2\""));
  EXPECT_TRUE(has(fault(file, {.polynomial = 2}, {.limits = {.max_row_features = 2}}), "--max-row-features"));
}

}  // namespace
}  // namespace lazylogit::io
