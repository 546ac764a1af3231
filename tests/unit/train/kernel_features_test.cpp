#include "lazylogit/train/kernel_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/train/kept_rows.hpp"
#include "lazylogit/train/recheck.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::train {
namespace {

constexpr std::size_t n = 120;

// Points inside and outside a circle and a third class on one side; features x, y and, with `expanded`, what the
// polynomial kernel of degree 2 stands for.
data::Dataset points(bool expanded = false) {
  Random random(11);
  data::Dataset data;
  Buffer<double> values;
  for (std::size_t j = 0; j < n; ++j) {
    const double x = random.normal(), y = random.normal(), root = std::sqrt(2.0);
    const double noisy = x * x + y * y + 0.5 * random.normal();
    data.labels.push_back(x > 1 ? 2 : noisy < 1.2 ? 0 : 1);
    if (expanded)
      for (const double value : {root * x, root * y, x * x, y * y, root * x * y}) values.push_back(value);
    else
      for (const double value : {x, y}) values.push_back(value);
  }
  const std::size_t columns = expanded ? 5 : 2;
  data.x = data::sparse_from_dense(std::move(values), n, columns);
  for (std::size_t i = 0; i < columns; ++i) data.features.intern("f" + std::to_string(i));
  data.classes = data::ClassTable::from_ordered({"in", "out", "right"});
  return data;
}

struct Fitted {
  model::Model model;
  data::Rows rows;  // as the model in α scores them
};

Fitted fit(data::Dataset data, const TrainOptions& options) {
  data::Rows raw = data;
  apply_kernel(data, options, silent_log(), {});
  optim::Observer observer;
  Fitted result{train(data, options, nullptr, nullptr, observer, silent_log(), {}).model, std::move(raw)};
  result.model = model::in_dual_coordinates(std::move(result.model));
  model::RowMapper{result.model}(result.rows);
  return result;
}

std::vector<double> probabilities(const Fitted& fitted) {
  model::Predictions predictions;
  model::Predictor(fitted.model).predict(fitted.rows, model::Predictor::Detail::probabilities, predictions);
  return {predictions.probabilities.begin(), predictions.probabilities.end()};
}

TrainOptions kernel_options(const char* kernel) {
  TrainOptions options;
  options.kernel = kernel;
  options.gap = 1e-12;
  return options;
}

void expect_same(const Fitted& a, const Fitted& b, double tolerance) {
  EXPECT_NEAR(a.model.record.error(), b.model.record.error(), tolerance * a.model.record.error());
  EXPECT_NEAR(a.model.record.penalty, b.model.record.penalty, 10 * tolerance * a.model.record.error());
  const std::vector<double> pa = probabilities(a), pb = probabilities(b);
  for (std::size_t i = 0; i < pa.size(); ++i) EXPECT_NEAR(pa[i], pb[i], 1e-5);
}

TEST(Kernels, LinearIsOrdinaryRegression) {
  TrainOptions plain = kernel_options("none");
  plain.variance = 3;
  TrainOptions linear = kernel_options("linear");
  linear.variance = 3;
  expect_same(fit(points(), plain), fit(points(), linear), 1e-10);
}

TEST(Kernels, PolynomialIsTheExplicitExpansion) {
  for (const char* standardize : {"none", "scale"}) {
    TrainOptions options = kernel_options("polynomial");
    options.standardize = standardize;
    const Fitted kernel = fit(points(), options);
    if (std::string(standardize) == "none")
      expect_same(fit(points(true), kernel_options("none")), kernel, 1e-10);
    EXPECT_LE(kernel.model.shape.num_features, 6u);
  }
}

TEST(Kernels, StandardizingIsThatOfTheInputs) {
  data::Dataset scaled = points();
  Buffer<double>& values = std::get<Buffer<double>>(scaled.x.values);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 1000 * values[i];
  TrainOptions options = kernel_options("gaussian");
  options.standardize = "center";
  const Fitted a = fit(points(), options), b = fit(std::move(scaled), options);
  expect_same(a, b, 1e-8);
}

TEST(Kernels, KeptRowsSpanTheMatrix) {
  const data::Dataset data = points();
  data::KernelMap map;
  map.kernel = {data::KernelFamily::gaussian, 1, 1.0};
  map.num_inputs = 2;
  const KeptRows kept = choose_kept_rows(data.x, map, n, 3, {});
  const std::size_t r = kept.rows.size();
  EXPECT_LT(r, n);  // the kernel is smooth
  std::vector<std::size_t> all(n);
  for (std::size_t j = 0; j < n; ++j) all[j] = j;
  map.kept = data::rows_to_keep(data.x, all);
  std::vector<double> matrix(n * n);
  data::KernelMapper(map).dense(data.x, 0, n, matrix.data());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < r; ++k) sum += kept.coordinates[i * r + k] * kept.coordinates[j * r + k];
      EXPECT_NEAR(sum, matrix[i * n + j], 1e-9);
    }
}

TEST(Kernels, NystroemWithEnoughRowsIsExact) {
  TrainOptions exact = kernel_options("gaussian"), few = exact;
  exact.kernel_width = few.kernel_width = 2;
  few.kernel_map = "nystroem";
  few.kernel_size = 100;
  expect_same(fit(points(), exact), fit(points(), few), 1e-8);
  few.kernel_size = 5;
  const Fitted rough = fit(points(), few);
  EXPECT_EQ(rough.model.shape.num_features, 5u);
  EXPECT_GT(rough.model.record.error(), fit(points(), exact).model.record.error());
}

TEST(Kernels, LaplacePriorKeepsFewRows) {
  TrainOptions options = kernel_options("gaussian");
  options.prior = "laplace";
  options.gap = 1e-6;
  const Fitted fitted = fit(points(), options);
  std::size_t zeros = 0;
  for (const double coefficient : fitted.model.coefficients) zeros += coefficient == 0;
  EXPECT_EQ(fitted.model.shape.num_features, n);
  EXPECT_GT(zeros, 3 * n / 2);
}

TEST(Kernels, FilesHoldTheDualCoefficientsAndCheckFindsTheOptimum) {
  for (const char* map : {"exact", "nystroem", "fourier"}) {
    TrainOptions options = kernel_options("gaussian");
    options.kernel_map = map;
    options.standardize = "center";
    if (std::string(map) != "exact") options.kernel_size = 20;
    data::Dataset data = points();
    data::Rows raw = data;
    apply_kernel(data, options, silent_log(), {});
    optim::Observer observer;
    const model::Model trained = train(data, options, nullptr, nullptr, observer, silent_log(), {}).model;
    const std::string bytes = model::serialize(trained);
    model::Model loaded = model::deserialize(bytes, "m", {});
    EXPECT_EQ(model::serialize(loaded), bytes);
    EXPECT_EQ(loaded.feature_name(0), std::string(map) == "fourier" ? "wave 1" : loaded.feature_name(0));
    EXPECT_EQ(loaded.kernel->inputs.size(), 2u);
    loaded = model::in_training_coordinates(std::move(loaded));
    model::RowMapper{loaded}(raw);
    const Recheck found = recheck(loaded, raw, silent_log());
    EXPECT_NEAR(found.parts.error(), trained.record.error(), 1e-9 * trained.record.error());
    EXPECT_LE(found.certificate.relative_gap.value_or(1), 1e-8);
  }
}

std::string refusal(TrainOptions options) {
  try {
    check_kernel(options);
  } catch (const Error& error) {
    return error.detail().option;
  }
  return "";
}

TEST(Kernels, RefuseWhatMeansNothing) {
  TrainOptions options;
  EXPECT_EQ(refusal(options), "");
  options.kernel_degree = 3;
  EXPECT_EQ(refusal(options), "kernel-degree");
  options.kernel = "gaussian";
  EXPECT_EQ(refusal(options), "kernel-degree");
  options.kernel_degree = {};
  options.prior_file = "p.csv";
  EXPECT_EQ(refusal(options), "prior-file");
  options = {};
  options.kernel = "linear";
  options.kernel_map = "fourier";
  EXPECT_EQ(refusal(options), "kernel-map");
  options.kernel_map = "exact";
  options.kernel_size = 3;
  EXPECT_EQ(refusal(options), "kernel-size");
  options.kernel_size = {};
  options.posterior = "diagonal";
  EXPECT_EQ(refusal(options), "posterior");
}

TEST(Kernels, RefuseValuesThatOverflow) {
  data::Dataset data = points();
  std::get<Buffer<double>>(data.x.values)[0] = 1e150;
  TrainOptions options = kernel_options("polynomial");
  options.kernel_degree = 4;
  EXPECT_THROW(apply_kernel(data, options, silent_log(), {}), ConfigError);
}

}  // namespace
}  // namespace lazylogit::train
