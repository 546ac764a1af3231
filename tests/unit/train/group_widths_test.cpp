#include "lazylogit/train/group_widths.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/train/trainer.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::train {
namespace {

// Nine features of three kinds: coefficients about 1.5, about 0.3, and 0.
data::Dataset grouped_data(std::size_t num_rows, std::uint64_t seed, std::size_t num_classes) {
  data::Dataset data;
  Random random(seed);
  Buffer<double> values;
  std::vector<double> b(9 * num_classes);
  for (std::size_t k = 0; k < b.size(); ++k)
    b[k] = random.normal() * (k / num_classes < 3 ? 1.5 : k / num_classes < 6 ? 0.3 : 0.0);
  for (std::size_t j = 0; j < num_rows; ++j) {
    std::vector<double> scores(num_classes, 0.0);
    for (FeatureId i = 0; i < 9; ++i) {
      const double x = random.normal();
      for (std::size_t c = 0; c < num_classes; ++c) scores[c] += x * b[i * num_classes + c];
      data.x.ids.push_back(i);
      values.push_back(x);
    }
    data.x.row_offsets.push_back(data.x.ids.size());
    std::size_t best = 0;
    for (double& score : scores) score -= std::log(-std::log(random.uniform()));  // a draw from the softmax
    for (std::size_t c = 1; c < num_classes; ++c)
      if (scores[c] > scores[best]) best = c;
    data.labels.push_back(static_cast<ClassId>(best));
  }
  data.x.values = std::move(values);
  data.x.num_features = 9;
  for (int i = 0; i < 9; ++i)
    data.features.intern((i < 3 ? "strong^" : i < 6 ? "weak^" : "") + std::to_string(i));
  std::vector<std::string> names{"a", "b", "c"};
  names.resize(num_classes);
  data.classes = data::ClassTable::from_ordered(std::move(names));
  data.input.kind = data::InputKind::named;
  return data;
}

struct QuietObserver final : TuneObserver {
  void on_point(const TunePoint&, std::size_t, std::size_t) override {}
};

Tuning tuned(data::Dataset data, const TrainOptions& options) {
  QuietObserver observer;
  return tune(data, options, {.by = TuneBy::evidence, .path = 20, .groups = "namespace"}, observer,
              silent_log(), {});
}

// The evidence of a model that train makes.
double evidence(data::Dataset data, TrainOptions options) {
  options.posterior = "full";
  options.gap = 1e-10;
  optim::Observer observer;
  return *train(data, options, nullptr, nullptr, observer, silent_log(), {}).model.posterior->log_evidence;
}

struct Csv {
  explicit Csv(const std::string& text)
      : name(std::filesystem::temp_directory_path() / ("group_widths_" + std::to_string(getpid()) + ".csv")) {
    std::ofstream(name) << text;
  }
  ~Csv() { std::filesystem::remove(name); }
  std::string name;
};

TEST(GroupWidths, EvidenceRisesStepByStepToAMaximumOverTheGroups) {
  for (const std::size_t classes : {2U, 3U})
    for (const char* standardize : {"none", "scale"}) {
      const data::Dataset data = grouped_data(400, 11, classes);
      TrainOptions options;
      options.standardize = standardize;
      const Tuning tuning = tuned(data, options);
      ASSERT_EQ(tuning.groups.size(), 3U);
      ASSERT_GT(tuning.group_log_evidence.size(), 1U);
      EXPECT_NEAR(tuning.group_log_evidence.front(), *tuning.points[tuning.chosen].log_evidence, 1e-4);
      for (std::size_t k = 1; k < tuning.group_log_evidence.size(); ++k)
        EXPECT_GT(tuning.group_log_evidence[k], tuning.group_log_evidence[k - 1]);
      EXPECT_GT(tuning.group_log_evidence.back(), tuning.group_log_evidence.front() + 2);
      const double best = evidence(data, tuning.options);
      EXPECT_NEAR(best, tuning.group_log_evidence.back(), 1e-5);
      for (std::size_t g = 0; g < 3; ++g)
        for (const double factor : {0.7, 1.4}) {
          TrainOptions other = tuning.options;
          for (std::size_t i = 3 * g; i < 3 * g + 3; ++i) other.row_strengths[i] *= factor;
          EXPECT_LT(evidence(data, other), best + 2e-3) << classes << " classes, group " << g;
        }
      EXPECT_EQ(tuning.groups[0].name, "strong");
      EXPECT_EQ(tuning.groups[2].name, "default");
      EXPECT_GT(tuning.groups[0].value, 3 * tuning.groups[1].value);
      EXPECT_GT(tuning.groups[1].value, tuning.groups[2].value);
      EXPECT_GT(tuning.groups[0].effective_parameters, tuning.groups[2].effective_parameters);
    }
}

TEST(GroupWidths, OtherPriorsAreSearchedGroupByGroup) {
  for (const char* prior : {"laplace", "cauchy"}) {
    const data::Dataset data = grouped_data(300, 5, 2);
    TrainOptions options;
    options.prior = prior;
    const Tuning tuning = tuned(data, options);
    for (std::size_t k = 1; k < tuning.group_log_evidence.size(); ++k)
      EXPECT_GT(tuning.group_log_evidence[k], tuning.group_log_evidence[k - 1]) << prior;
    EXPECT_GT(tuning.group_log_evidence.back(), tuning.group_log_evidence.front() + 1) << prior;
    EXPECT_GT(tuning.groups[0].value, tuning.groups[2].value) << prior;
    EXPECT_NEAR(evidence(data, tuning.options), tuning.group_log_evidence.back(), 1e-3) << prior;
  }
}

TEST(GroupWidths, AreThePriorThatAPriorFileWouldGive) {
  const data::Dataset data = grouped_data(200, 3, 2);
  const Tuning tuning = tuned(data, {});
  std::string text = "feature,class,mean,variance\n";
  for (std::size_t i = 0; i < 9; ++i)
    text += std::string(data.features.name(static_cast<FeatureId>(i))) + ",*,0," +
            std::to_string(tuning.groups[i / 3].value) + "\n";
  const Csv file(text);
  TrainOptions by_file;
  by_file.prior_file = file.name;
  EXPECT_NEAR(evidence(data, by_file), tuning.group_log_evidence.back(), 1e-3);
}

TEST(FeatureGroups, ColumnsGiveTheirNamesToWhatTheyYield) {
  data::Dataset data;
  data.input.kind = data::InputKind::columns;
  for (const char* column : {"age", "job", "a=b", "text", "pixels"})
    data.input.columns.push_back({.name = column});
  const std::pair<const char*, const char*> expected[] = {
      {"age", "age"},         {"age=missing", "age"},  {"job=teacher", "job"},       {"a=b=c", "a=b"},
      {"text:job=x", "text"}, {"pixels[3]", "pixels"}, {"age*job=nurse", "age*job"}, {"age^2", "age^2"},
      {"age*age", "age*age"},
  };
  for (const auto& [feature, column] : expected) data.features.intern(feature);
  const model::Shape shape{.num_features = data.features.size(), .num_classes = 2, .reference = 0};
  const FeatureGroups groups = make_feature_groups("column", data, shape, true, silent_log());
  ASSERT_EQ(groups.of.size(), data.features.size() + 1);
  for (std::size_t i = 0; i < data.features.size(); ++i)
    EXPECT_EQ(groups.names[groups.of[i]], expected[i].second) << expected[i].first;
  EXPECT_EQ(groups.names[groups.of.back()], "(intercept)");
  EXPECT_THROW(make_feature_groups("namespace", data, shape, true, silent_log()), ConfigError);
}

TEST(FeatureGroups, LaterLinesOfAFileWinAndTheRestIsAGroup) {
  data::Dataset data;
  for (const char* feature : {"a", "b", "c", "d"}) data.features.intern(feature);
  const model::Shape shape{.num_features = 4, .num_classes = 2, .reference = 0};
  const auto names_of = [&](const std::string& text) {
    const Csv file(text);
    const FeatureGroups groups = make_feature_groups(file.name, data, shape, false, silent_log());
    std::string names;
    for (const std::uint32_t group : groups.of) names += groups.names[group] + " ";
    return names;
  };
  EXPECT_EQ(names_of("feature,group\na,g\nc,h\n"), "g other h other ");
  EXPECT_EQ(names_of("feature,group\n*,rest\na,g\na,h\n"), "h rest rest rest ");
  EXPECT_THROW(names_of("feature,class\na,g\n"), InputError);
  EXPECT_THROW(names_of("feature,group\na\n"), InputError);
  EXPECT_THROW(names_of("feature,group\na,\n"), InputError);
  EXPECT_THROW(names_of(""), InputError);
}

}  // namespace
}  // namespace lazylogit::train
