#include "lazylogit/train/trainer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

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

// A file of this test's own: tests run side by side.
std::string own_path(const std::string& name) {
  return testing::TempDir() + "/" + std::to_string(::getpid()) + "_" + name;
}

std::string prior_file(const std::string& text) {
  const std::string path = own_path("prior.csv");
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
  EXPECT_NE(result.fit.message.find("by \"x\")"), std::string::npos)
      << result.fit.message;  // z is not needed
  for (const double b : result.model.coefficients) EXPECT_TRUE(std::isfinite(b));
}

TEST(train, separation_is_named_after_stochastic_training_too) {
  for (const char* optimizer : {"sgd", "adagrad", "ftrl", "saga"}) {
    data::Dataset data = small_data();
    for (std::size_t j = 0; j < 8; ++j)
      data.labels[j] = j % 2 == 0;  // z is 1 where j is even, but for the last
    data.labels[7] = 1;
    data.labels[6] = 0;
    TrainOptions options;
    options.prior = "uniform";
    options.optimizer = optimizer;
    const TrainResult result = run(data, options);
    EXPECT_EQ(result.fit.reason, optim::Termination::separation) << optimizer;
    EXPECT_NE(result.fit.message.find("completely separated"), std::string::npos) << result.fit.message;
    EXPECT_NE(result.fit.message.find("\"z\""), std::string::npos) << result.fit.message;
    EXPECT_EQ(result.model.record.termination, "separation");
  }
}

TEST(train, classes_that_overlap_are_not_called_separated_after_stochastic_training) {
  for (const char* optimizer : {"sgd", "adagrad", "ftrl", "saga"}) {
    data::Dataset data = small_data();
    data.labels[1] = 0;
    data.labels[4] = 1;
    TrainOptions options;
    options.prior = "uniform";
    options.optimizer = optimizer;
    EXPECT_NE(run(data, options).fit.reason, optim::Termination::separation) << optimizer;
    options.optimizer = "newton";
    EXPECT_EQ(run(data, options).fit.reason, optim::Termination::converged);
  }
}

// Keeps what was said.
struct Heard final : Log {
  std::vector<std::string> notices, warnings;
  void notice(std::string_view sentence) override { notices.emplace_back(sentence); }
  void warning(const ErrorDetail& detail) override { warnings.push_back(format_error(detail, "warning")); }
};

TEST(train, class_weights_are_repeated_rows) {
  data::Dataset weighted = small_data(), repeated = small_data();
  const std::string path = own_path("weights.csv");
  std::ofstream(path) << "class,weight\nb,3\n";
  TrainOptions options;
  options.class_weights = path;
  options.gap = 1e-12;
  Buffer<double>& values = std::get<Buffer<double>>(repeated.x.values);
  for (std::size_t j = 0; j < 8; ++j)
    for (int copy = 0; copy < 2 && repeated.labels[j] == 1; ++copy) {
      for (std::size_t k = repeated.x.row_offsets[j]; k < repeated.x.row_offsets[j + 1]; ++k) {
        repeated.x.ids.push_back(FeatureId{repeated.x.ids[k]});
        values.push_back(double{values[k]});
      }
      repeated.x.row_offsets.push_back(repeated.x.ids.size());
      repeated.labels.push_back(1);
    }
  const TrainResult a = run(weighted, options);
  options.class_weights.clear();
  const TrainResult b = run(repeated, options);
  for (std::size_t i = 0; i < a.model.coefficients.size(); ++i)
    EXPECT_NEAR(a.model.coefficients[i], b.model.coefficients[i], 1e-9);
  EXPECT_NEAR(a.model.record.error(), b.model.record.error(), 1e-9);
}

TEST(train, a_warm_start_at_the_optimum_stays_there) {
  data::Dataset data = small_data();
  const TrainResult first = run(data, {});
  data = small_data();
  optim::Observer observer;
  const TrainResult again = train(data, {}, nullptr, &first.model, observer, silent_log(), {});
  EXPECT_LE(again.fit.iterations, 1u);
  EXPECT_LE(again.model.record.error(), first.model.record.error() + 1e-12);
}

TEST(train, a_warm_start_at_coefficients_beyond_the_range_is_refused) {
  TrainOptions options;
  options.symmetric = true;
  data::Dataset data = small_data();
  TrainResult first = run(data, options);
  for (double& coefficient : first.model.coefficients) coefficient = 1e308;
  data = small_data();
  optim::Observer observer;
  EXPECT_THROW(train(data, options, nullptr, &first.model, observer, silent_log(), {}), InputError);
}

TEST(train, a_warm_start_without_a_common_class_is_refused) {
  data::Dataset data = small_data();
  const TrainResult first = run(data, {});
  data = small_data();
  data.classes = data::ClassTable::from_ordered({"c", "d"});
  optim::Observer observer;
  try {
    train(data, {}, nullptr, &first.model, observer, silent_log(), {});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.detail().option, "warm-start");
  }
}

TEST(train, restarts_keep_the_best_start_and_tell_the_others) {
  // Two copies of one feature under a narrow Cauchy prior: either takes the whole pull, so there are several minima.
  data::Dataset data = small_data();
  Buffer<double>& values = std::get<Buffer<double>>(data.x.values);
  data.x.ids.clear();
  data.x.row_offsets.clear();
  data.x.row_offsets.push_back(0);
  Buffer<double> copies;
  for (std::size_t j = 0; j < 8; ++j) {
    const double x = (data.labels[j] == 1 ? 1.0 : -1.0) * (j < 6 ? 1 : -1) + 0.1 * static_cast<double>(j);
    for (FeatureId i = 0; i < 2; ++i) {
      data.x.ids.push_back(i);
      copies.push_back(i == 0 ? x : 0.97 * x + 0.01 * static_cast<double>(j));
    }
    data.x.row_offsets.push_back(data.x.ids.size());
  }
  values = std::move(copies);
  for (std::size_t j = 0; j < 8; ++j) data.weights.push_back(40);
  TrainOptions options;
  options.prior = "cauchy";
  options.scale = 0.05;
  options.restarts = 6;
  Heard heard;
  optim::Observer observer;
  const TrainResult result = train(data, options, nullptr, nullptr, observer, heard, {});
  std::vector<double> errors;
  for (const std::string& notice : heard.notices)
    if (const std::size_t at = notice.find(": error "); at != std::string::npos)
      errors.push_back(std::stod(notice.substr(at + 8)));
  ASSERT_EQ(errors.size(), 7u);
  EXPECT_NEAR(result.model.record.error(), *std::min_element(errors.begin(), errors.end()), 1e-6);
  EXPECT_GT(*std::max_element(errors.begin(), errors.end()), result.model.record.error() + 1e-3)
      << "all starts ended in one minimum, which shows nothing";
  EXPECT_NE(result.fit.message.find("the best of 7 starts"), std::string::npos) << result.fit.message;
}

TEST(train, unknown_names_in_a_prior_file_get_a_suggestion) {
  const auto fit = [](const std::string& line, Log& log) {
    data::Dataset data = small_data();
    data.features = {};
    data.features.intern("height");
    data.features.intern("width");
    data.classes = data::ClassTable::from_ordered({"cat", "dog"});
    TrainOptions options;
    options.prior_file = prior_file("feature,class,mean,variance\n" + line + "\n");
    optim::Observer observer;
    train(data, options, nullptr, nullptr, observer, log, {});
  };
  try {
    fit("*,dgo,0,1", silent_log());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("no class \"dgo\", expected \"cat\" or \"dog\"; did you mean \"dog\"?"),
              std::string::npos)
        << error.what();
  }
  Heard heard;
  fit("heigth,dog,0,1", heard);
  ASSERT_EQ(heard.warnings.size(), 1u);
  EXPECT_NE(heard.warnings[0].find("no feature \"heigth\""), std::string::npos) << heard.warnings[0];
  EXPECT_NE(heard.warnings[0].find("did you mean \"height\"?"), std::string::npos) << heard.warnings[0];
}

TEST(train, features_that_slow_a_fit_are_named) {
  data::Dataset data = small_data();
  Buffer<double> values;
  data.x.ids.clear();
  data.x.row_offsets.clear();
  data.x.row_offsets.push_back(0);
  for (std::size_t j = 0; j < 8; ++j) {
    const double x = std::sin(1.0 + static_cast<double>(j));
    const double row[] = {1e6 * x, x, x, 1, 1e-3 * std::cos(static_cast<double>(j * j))};
    for (FeatureId i = 0; i < 5; ++i) {
      data.x.ids.push_back(i);
      values.push_back(row[i]);
    }
    data.x.row_offsets.push_back(data.x.ids.size());
  }
  data.x.values = std::move(values);
  data.x.num_features = 5;
  data.features = {};
  for (const char* name : {"wide", "twin", "copy", "constant", "narrow"}) data.features.intern(name);
  TrainOptions options;
  options.optimizer = "gd";
  options.max_passes = 30;
  Heard heard;
  optim::Observer observer;
  train(data, options, nullptr, nullptr, observer, heard, {});
  std::string all;
  for (const std::string& notice : heard.notices) all += notice + "\n";
  EXPECT_NE(all.find("the same in every row, as the intercept is: \"constant\""), std::string::npos) << all;
  EXPECT_NE(all.find("equal to another feature in every row: \"copy\""), std::string::npos) << all;
  EXPECT_NE(all.find("the deviation of \"wide\""), std::string::npos) << all;
  EXPECT_NE(all.find("that of \"narrow\""), std::string::npos) << all;
}

TEST(train, a_nan_is_never_kept) {
  for (const char* prior : {"uniform", "gaussian", "laplace", "cauchy", "elastic-net"})
    for (const double scale : {1e-150, 1e150}) {
      data::Dataset data = small_data();
      for (double& value : std::get<Buffer<double>>(data.x.values)) value *= scale;
      TrainOptions options;
      options.prior = prior;
      try {
        const TrainResult result = run(data, options);
        for (const double b : result.model.coefficients) EXPECT_TRUE(std::isfinite(b)) << prior << scale;
        EXPECT_TRUE(std::isfinite(result.model.record.error())) << prior << scale;
      } catch (const InputError& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
      }
    }
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
