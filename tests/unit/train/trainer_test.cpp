#include "lazylogit/train/trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "lazylogit/train/recheck.hpp"

namespace lazylogit::train {
namespace {

// Eight rows, two features x and z, labels "a" and "b" that overlap.
data::Dataset small_data() {
  data::Dataset data;
  const double x[] = {0.1, 0.9, 1.4, -0.3, -1.0, 2.0, 0.5, 0.4}, z[] = {1, 0, 1, 0, 1, 0, 0, 1};
  const ClassId labels[] = {0, 1, 0, 1, 0, 1, 0, 1};
  Buffer<double> values;
  for (std::size_t j = 0; j < 8; ++j) {
    data.x.ids.push_back(0);
    values.push_back(x[j]);
    if (z[j] != 0) {
      data.x.ids.push_back(1);
      values.push_back(z[j]);
    }
    data.x.row_offsets.push_back(data.x.ids.size());
    data.labels.push_back(labels[j]);
  }
  data.x.values = std::move(values);
  data.x.num_features = 2;
  data.features.intern("x");
  data.features.intern("z");
  data.classes = data::ClassTable::from_ordered({"a", "b"});
  return data;
}

TrainResult run(data::Dataset& data, const TrainOptions& options) {
  optim::Observer observer;
  return train(data, options, nullptr, nullptr, observer, silent_log(), {});
}

std::string message_of(const TrainOptions& options) {
  data::Dataset data = small_data();
  try {
    run(data, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string prior_file(const std::string& text) {
  const std::string path = testing::TempDir() + "/prior.csv";
  std::ofstream(path) << text;
  return path;
}

TEST(train, ends_with_a_certified_optimum_that_a_recheck_confirms) {
  data::Dataset data = small_data();
  const TrainResult result = run(data, {});
  EXPECT_EQ(result.fit.reason, optim::Termination::converged);
  ASSERT_TRUE(result.model.record.certificate);
  EXPECT_LE(*result.model.record.certificate->relative_gap, 1e-6);
  const Recheck again = recheck(result.model, data, silent_log());
  EXPECT_NEAR(again.parts.error(), result.model.record.error(), 1e-12);
  EXPECT_LE(*again.certificate.relative_gap, 1e-6);
}

TEST(train, records_the_prior_as_typed) {
  data::Dataset data = small_data();
  TrainOptions options;
  options.prior = "laplace";
  EXPECT_NE(run(data, options).model.record.prior_json.find("\"variance\":1.0"), std::string::npos);
}

TEST(train, refuses_parameters_of_another_prior) {
  TrainOptions options;
  options.scale = 2;
  EXPECT_NE(message_of(options).find("option --scale"), std::string::npos) << message_of(options);
  options = {};
  options.variance = std::nan("");
  EXPECT_NE(message_of(options).find("option --variance"), std::string::npos);
}

TEST(train, names_the_classes_of_a_bad_reference) {
  TrainOptions options;
  options.reference = "c";
  EXPECT_NE(message_of(options).find("no class \"c\""), std::string::npos);
}

TEST(train, later_lines_of_a_prior_file_win_and_zero_pins) {
  data::Dataset data = small_data();
  TrainOptions options;
  options.prior_file = prior_file("feature,class,mean,variance\nx,*,9,1\n*,*,0,1\nz,b,0.25,0\n");
  const TrainResult result = run(data, options);
  EXPECT_EQ(result.model.coefficients[1], 0.25);
  EXPECT_LT(std::abs(result.model.coefficients[0]), 3);
  const Recheck again = recheck(result.model, data, silent_log());
  EXPECT_NEAR(again.parts.error(), result.model.record.error(), 1e-12);
}

TEST(train, prior_file_errors_have_a_place) {
  TrainOptions options;
  options.prior_file = prior_file("feature,class,mean,variance\nx,b,0,-1\n");
  EXPECT_NE(message_of(options).find("prior.csv:2:7: error:"), std::string::npos) << message_of(options);
  options.prior_file = prior_file("feature,class,mean,variance\nx,b,nan,1\n");
  EXPECT_NE(message_of(options).find("prior.csv:2:5: error:"), std::string::npos) << message_of(options);
  options.prior_file = prior_file("feature,class,mean,variance\nx,a,0,1\n");
  EXPECT_NE(message_of(options).find("reference"), std::string::npos) << message_of(options);
  options.prior_file = prior_file("feature,class,mean,scale\n");
  EXPECT_NE(message_of(options).find("prior.csv:1:1: error:"), std::string::npos) << message_of(options);
}

TEST(train, separation_names_the_feature) {
  data::Dataset data = small_data();
  for (std::size_t j = 0; j < data.labels.size(); ++j) data.labels[j] = j % 2 == 0 ? 0 : 1;
  Buffer<double>& values = std::get<Buffer<double>>(data.x.values);
  for (std::size_t j = 0; j < 8; ++j)
    values[data.x.row_offsets[j]] = data.labels[j] == 1 ? 1.0 + 0.1 * static_cast<double>(j) : -1.0;
  TrainOptions options;
  options.prior = "uniform";
  const TrainResult result = run(data, options);
  EXPECT_EQ(result.fit.reason, optim::Termination::separation);
  EXPECT_NE(result.fit.message.find("completely separated"), std::string::npos) << result.fit.message;
  EXPECT_NE(result.fit.message.find("\"x\""), std::string::npos) << result.fit.message;
  for (const double b : result.model.coefficients) EXPECT_TRUE(std::isfinite(b));
}

TEST(train, one_class_is_an_error_that_says_what_was_counted) {
  data::Dataset data = small_data();
  for (ClassId& label : data.labels) label = 1;
  try {
    run(data, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("all 8 rows are of class \"b\""), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lazylogit::train
