// A column of interactions is the product computed by hand: both data sets have the same optimum, and the saved model
// gives raw rows the probabilities of rows computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "lazylogit/base/random.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit {
namespace {

struct Files {
  std::string raw, by_hand;
};

// Random people; the second file has the derived columns written out, with all digits.
Files write_files(std::uint64_t seed) {
  const std::string base = testing::TempDir() + "products_" + std::to_string(seed);
  Random random(seed);
  std::ofstream raw(base + "_raw.csv"), by_hand(base + "_hand.csv");
  raw.precision(17);
  by_hand.precision(17);
  raw << "age,size,job,y\n";
  by_hand << "age,size,job,log(age),age^2,age*size,size^2,age*job=cook,age*job=smith,y\n";
  for (int i = 0; i < 120; ++i) {
    const double age = 0.5 + 3 * random.uniform(), size = random.normal();
    const bool cook = random.below(2) == 0;
    const char* const job = cook ? "cook" : "smith";
    const bool yes = age * (cook ? 1 : -1) + size * size + random.normal() > 0.5;
    raw << age << ',' << size << ',' << job << ',' << yes << '\n';
    by_hand << age << ',' << size << ',' << job << ',' << std::log(age) << ',' << age * age << ','
            << age * size << ',' << size * size << ',' << (cook ? age : 0) << ',' << (cook ? 0 : age) << ','
            << yes << '\n';
  }
  return {base + "_raw.csv", base + "_hand.csv"};
}

train::TrainResult fit(data::Dataset data, const std::string& prior) {
  train::TrainOptions options;
  options.prior = prior;
  options.gap = 1e-13;
  optim::Observer nobody;
  return train::train(data, options, nullptr, nullptr, nobody, silent_log(), {});
}

class DerivedFeatures : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DerivedFeatures, HaveTheOptimumOfColumnsComputedByHand) {
  const Files files = write_files(GetParam());
  io::ReadOptions options;
  options.derived = {.interactions = {"age*job"}, .polynomial = 2, .log = {"age"}};
  const io::Loaded raw = io::load({files.raw}, options, silent_log(), {});
  const io::Loaded by_hand = io::load({files.by_hand}, {}, silent_log(), {});
  for (const char* prior : {"gaussian", "elastic-net"}) {
    const train::TrainResult a = fit(raw.data, prior), b = fit(by_hand.data, prior);
    EXPECT_NEAR(a.model.record.log_likelihood, b.model.record.log_likelihood, 1e-10);
    ASSERT_EQ(a.model.features.size(), b.model.features.size());
    for (std::size_t f = 0; f < a.model.features.size(); ++f) {
      const auto other = by_hand.data.features.find(a.model.features.name(static_cast<FeatureId>(f)));
      ASSERT_TRUE(other) << a.model.features.name(static_cast<FeatureId>(f));
      EXPECT_NEAR(a.model.coefficients[f * a.model.shape.stride()],
                  b.model.coefficients[*other * b.model.shape.stride()], 1e-10)
          << a.model.features.name(static_cast<FeatureId>(f));
    }
  }
}

TEST_P(DerivedFeatures, OfASavedModelAreThoseOfTraining) {
  const Files files = write_files(GetParam());
  io::ReadOptions options;
  options.derived = {.interactions = {"age*job", "bins(age)*."},
                     .polynomial = 3,
                     .log = {"age"},
                     .bins = {"age=4", "size=3"},
                     .normalize = data::RowNorm::l2};
  const io::Loaded loaded = io::load({files.raw}, options, silent_log(), {});
  const std::string bytes = model::serialize(fit(loaded.data, "gaussian").model);
  const model::Model model = model::deserialize(bytes, "model.safetensors");
  const io::FixedNames names{&model.input, &model.features, &model.idf, &model.classes,
                             model.shape.num_features};
  const data::Rows rows = io::load_with({files.raw}, names, {}, silent_log(), {}, nullptr);
  ASSERT_EQ(rows.x.num_nonzeros(), loaded.data.x.num_nonzeros());
  for (std::size_t k = 0; k < rows.x.num_nonzeros(); ++k) {
    ASSERT_EQ(rows.x.ids[k], loaded.data.x.ids[k]);
    ASSERT_EQ(rows.x.value(k), loaded.data.x.value(k));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DerivedFeatures, testing::Range(std::uint64_t{1}, std::uint64_t{6}));

}  // namespace
}  // namespace lazylogit
