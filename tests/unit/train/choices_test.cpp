#include "lazylogit/train/choices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/recheck.hpp"
#include "lazylogit/train/trainer.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::train {
namespace {

constexpr std::size_t examples = 150, inputs = 3, classes = 3;

struct Example {
  double x[inputs];
  std::size_t label;
};

std::vector<Example> drawn() {
  Random random(7);
  std::vector<Example> all(examples);
  for (Example& example : all) {
    for (double& x : example.x) x = random.normal();
    const double scores[classes] = {example.x[0] + random.normal(), example.x[1] + random.normal(),
                                    0.5 + random.normal()};
    example.label = static_cast<std::size_t>(std::max_element(scores, scores + classes) - scores);
  }
  return all;
}

// Ordinary rows of three classes.
data::Dataset as_classes() {
  data::Dataset data;
  Buffer<double> values;
  for (const Example& example : drawn()) {
    for (const double x : example.x) values.push_back(x);
    data.labels.push_back(static_cast<ClassId>(example.label));
  }
  data.x = data::sparse_from_dense(std::move(values), examples, inputs);
  for (std::size_t i = 0; i < inputs; ++i) data.features.intern("x" + std::to_string(i));
  data.classes = data::ClassTable::from_ordered({"a", "b", "c"});
  return data;
}

// The same as choices among three candidates with features of their own: x ⊗ e_c.
data::Dataset as_choices() {
  data::Dataset data;
  Buffer<double> values;
  std::size_t number = 0;
  for (const Example& example : drawn()) {
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t k = 0; k < classes; ++k)
        for (const double x : example.x) values.push_back(k == c ? x : 0.0);
      data.labels.push_back(c == example.label ? 1 : 0);
      data.ids.push_back(std::to_string(number));
    }
    data.choice_ends.push_back(classes * ++number);
  }
  data.x = data::sparse_from_dense(std::move(values), classes * examples, classes * inputs);
  for (std::size_t i = 0; i < classes * inputs; ++i)
    data.features.intern(std::string("abc").substr(i / inputs, 1) + ":x" + std::to_string(i % inputs));
  data.classes = data::ClassTable::from_ordered({"0", "1"});
  data.input.choices = {"choice", false, {}};
  data.input.id = "choice";
  return data;
}

model::Model fitted(data::Dataset data, const TrainOptions& options) {
  optim::Observer observer;
  return train(data, options, nullptr, nullptr, observer, silent_log(), {}).model;
}

TEST(ConditionalLogit, WithFeaturesOfEachClassIsTheMultinomial) {
  for (const char* prior : {"gaussian", "laplace", "cauchy", "elastic-net"}) {
    TrainOptions options;
    options.prior = prior;
    options.gap = 1e-10;
    options.intercept = false;
    options.symmetric = true;
    const model::Model multinomial = fitted(as_classes(), options);
    options.symmetric = false;
    const model::Model choices = fitted(as_choices(), options);
    EXPECT_NEAR(choices.record.error(), multinomial.record.error(), 1e-8 * multinomial.record.error())
        << prior;
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t i = 0; i < inputs; ++i)
        EXPECT_NEAR(choices.coefficients[choices.shape.index(c * inputs + i, 0)],
                    multinomial.coefficients[multinomial.shape.index(i, c)], 2e-4)
            << prior;
    EXPECT_EQ(choices.record.num_examples, examples);
    ASSERT_TRUE(choices.record.certificate.has_value());
    EXPECT_TRUE(std::string(prior) == "cauchy" ||
                choices.record.certificate->relative_gap.value_or(1) <= 1e-9)
        << prior;

    const data::Dataset rows = as_choices(), plain = as_classes();
    model::Predictions of_choices, of_classes;
    model::Predictor(choices).predict(rows, model::Predictor::Detail::probabilities, of_choices);
    model::Predictor(multinomial).predict(plain, model::Predictor::Detail::probabilities, of_classes);
    for (std::size_t j = 0; j < examples; ++j)
      for (std::size_t c = 0; c < classes; ++c) {
        EXPECT_NEAR(of_choices.probabilities[2 * (classes * j + c) + 1],
                    of_classes.probabilities[classes * j + c], 1e-4);
        EXPECT_EQ(of_choices.best[classes * j + c] == 1, of_classes.best[j] == static_cast<ClassId>(c));
      }
  }
}

// Every optimizer of the list: those that end at a certificate reach it, the others come close.
TEST(ConditionalLogit, EveryOptimizerOfTheListAgrees) {
  TrainOptions options;
  options.gap = 1e-10;
  const double error = fitted(as_choices(), options).record.error();
  for (const optim::OptimizerEntry& entry : optim::optimizers()) {
    options = {};
    options.optimizer = entry.name;
    const bool certified = !entry.stochastic || entry.name == std::string_view("saga");
    if (certified) options.gap = 1e-10;
    if (!certified) options.epochs = 100, options.tolerance = 0;
    const double found = fitted(as_choices(), options).record.error();
    if (certified)
      EXPECT_NEAR(found, error, 1e-8 * error) << entry.name;
    else
      EXPECT_LE(found, 1.02 * error) << entry.name;
  }
}

TEST(ConditionalLogit, CoordinateDescentEndsWhereNewtonEnds) {
  for (const char* prior : {"gaussian", "laplace", "elastic-net", "cauchy"})
    for (const bool weighted : {false, true}) {
      TrainOptions options;
      options.prior = prior;
      options.gap = 1e-12;
      if (options.prior == "elastic-net") options.l1 = 0.5, options.l2 = 0.7;
      data::Dataset data = as_choices();
      std::size_t first = 0, number = 0;
      for (const std::uint64_t last : data.choice_ends) {
        for (; weighted && first < last; ++first)
          data.weights.push_back(static_cast<double>(number % 4) * 0.7);
        ++number;
      }
      options.optimizer = "newton";
      const model::Model newton = fitted(data, options);
      options.optimizer = "coordinate";
      const model::Model coordinate = fitted(data, options);
      for (std::size_t i = 0; i < newton.coefficients.size(); ++i)
        EXPECT_NEAR(coordinate.coefficients[i], newton.coefficients[i], 2e-5) << prior;
      EXPECT_NEAR(coordinate.record.error(), newton.record.error(), 1e-11 * newton.record.error());
    }
}

TEST(ConditionalLogit, SagaKnowsWeightsAndOffsets) {
  data::Dataset data = as_choices();
  Random random(5);
  for (std::size_t j = 0; j < data.num_rows(); ++j) {
    data.weights.push_back(j / classes % 5 == 0 ? 0.0 : 0.5 + static_cast<double>(j / classes % 3));
    data.offsets.push_back(random.normal());
  }
  for (const char* prior : {"gaussian", "laplace", "elastic-net"}) {
    TrainOptions options;
    options.prior = prior;
    options.gap = 1e-11;
    const double error = fitted(data, options).record.error();
    options.optimizer = "saga";
    const model::Model model = fitted(data, options);
    EXPECT_NEAR(model.record.error(), error, 1e-9 * error) << prior;
    EXPECT_EQ(model.record.termination, "converged") << prior;
  }
}

TEST(ConditionalLogit, EpochsComeCloseToTheOptimum) {
  for (const char* prior : {"gaussian", "laplace", "cauchy"}) {
    TrainOptions options;
    options.prior = prior;
    const double error = fitted(as_choices(), options).record.error();
    for (const char* optimizer :
         {"sgd", "momentum", "adagrad", "rmsprop", "adam", "adamax", "adadelta", "ftrl"}) {
      if (std::string(prior) == "cauchy" && std::string(optimizer) == "ftrl") continue;  // convex priors only
      options.optimizer = optimizer;
      options.epochs = 100;
      options.tolerance = 0;
      EXPECT_LE(fitted(as_choices(), options).record.error(), 1.02 * error) << prior << ' ' << optimizer;
    }
  }
}

TEST(ConditionalLogit, LazyIsDense) {
  TrainOptions options;
  options.optimizer = "adagrad";
  options.prior = "laplace";
  options.epochs = 3;
  options.learning_rate = 0.1;
  const math::Vector lazy = fitted(as_choices(), options).coefficients;
  options.dense_updates = true;
  const math::Vector dense = fitted(as_choices(), options).coefficients;
  for (std::size_t i = 0; i < lazy.size(); ++i) EXPECT_NEAR(lazy[i], dense[i], 1e-9);
}

TEST(ConditionalLogit, DerivativesAreThoseOfTheError) {
  data::Dataset data = as_choices();
  for (std::size_t j = 0; j < data.num_rows(); ++j) data.weights.push_back(j / classes % 3 == 0 ? 0.0 : 1.5);
  const Prepared prepared = prepare(data, {}, silent_log());
  objective::Posterior objective(prepared.problem());
  const std::size_t size = prepared.shape.size();
  math::Vector b(size), gradient(size), other(size), matrix(size * size), diagonal(size), direction(size),
      product(size);
  Random random(2);
  for (double& value : b) value = random.normal();
  for (double& value : direction) value = random.normal();
  objective.value_and_gradient(b, gradient);
  objective.set_curvature_point(b);
  objective.hessian_matrix(matrix);
  objective.hessian_diagonal(diagonal);
  objective.hessian_vector(direction, product);
  constexpr double step = 1e-5;
  for (std::size_t i = 0; i < size; ++i) {
    math::Vector up = b, down = b;
    up[i] += step;
    down[i] -= step;
    math::Vector above(size), below(size);
    const double high = objective.value_and_gradient(up, above),
                 low = objective.value_and_gradient(down, below);
    EXPECT_NEAR(gradient[i], (high - low) / (2 * step), 1e-5);
    for (std::size_t k = 0; k < size; ++k)
      EXPECT_NEAR(matrix[i * size + k], (above[k] - below[k]) / (2 * step), 1e-5);
    EXPECT_NEAR(diagonal[i], matrix[i * size + i], 1e-10);
    double sum = 0;
    for (std::size_t k = 0; k < size; ++k) sum += matrix[i * size + k] * direction[k];
    EXPECT_NEAR(product[i], sum, 1e-9 * (1 + std::abs(sum)));
  }
}

TEST(ConditionalLogit, SeparationIsFound) {
  data::Dataset data = as_choices();
  for (std::size_t j = 0; j < data.num_rows(); ++j) data.labels[j] = 0;
  std::size_t first = 0;
  for (const std::uint64_t last : data.choice_ends) {  // the largest x0 of its own feature is always taken
    std::size_t best = first;
    for (std::size_t j = first; j < last; ++j) {
      const auto score = [&](std::size_t row) {
        return data.x.value(data.x.row_offsets[row]) * (row - first == 0 ? 1 : -1);
      };
      if (score(j) > score(best)) best = j;
    }
    data.labels[best] = 1;
    first = last;
  }
  TrainOptions options;
  options.prior = "uniform";
  EXPECT_EQ(fitted(std::move(data), options).record.termination, "separation");
}

TEST(ConditionalLogit, HoldoutsAndFoldsKeepChoicesWhole) {
  data::Dataset data = as_choices();
  const data::Rows held = data::take_holdout(data, 0.2, 1);
  EXPECT_EQ(held.choice_ends.size(), examples / 5);
  EXPECT_EQ(held.choice_ends.back(), held.num_rows());
  EXPECT_EQ(data.choice_ends.back(), data.num_rows());
  check_sets(held);
  check_sets(data);
  struct Quiet final : TuneObserver {
    void on_point(const TunePoint&, std::size_t, std::size_t) override {}
  } observer;
  TuneSettings settings;
  settings.values = {0.01, 1};
  const Tuning tuning = tune(data, {}, settings, observer, silent_log(), {});
  for (const TunePoint& point : tuning.points) {
    EXPECT_GT(point.log_loss, 0.1);
    EXPECT_LT(point.log_loss, std::log(3.0));
  }
}

TEST(ConditionalLogit, ThreadsChangeNothing) {
  std::vector<math::Vector> found;
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    const ThreadLimit limit(threads);
    found.push_back(fitted(as_choices(), {}).coefficients);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(ConditionalLogit, RefusesChoicesThatAreNone) {
  data::Dataset data = as_choices();
  data.labels[0] = data.labels[1] = data.labels[2] = 0;
  EXPECT_THROW(fitted(std::move(data), {}), InputError);
  data = as_choices();
  data.labels[0] = data.labels[1] = 1;
  EXPECT_THROW(fitted(std::move(data), {}), InputError);
  TrainOptions options;
  options.posterior = "samples";
  EXPECT_THROW(fitted(as_choices(), options), ConfigError);
}

}  // namespace
}  // namespace lazylogit::train
