// Tables whose columns are of very different size, or far from 0 against their spread: the optimum is found and proved all the
// same.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/shifted_columns.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit {
namespace {

// Dense rows, with an intercept.
struct DenseTable {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  std::vector<double> weights;
  model::Shape shape;
  std::optional<prior::PriorTable> prior;

  DenseTable(std::size_t features, std::size_t classes, std::optional<ClassId> reference)
      : shape{.num_features = features, .num_classes = classes, .reference = reference} {
    x.num_features = features;
    x.values = Buffer<double>();
  }
  void add(const std::vector<double>& row, ClassId label, double weight = 1) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0) continue;
      x.ids.push_back(static_cast<FeatureId>(i));
      std::get<Buffer<double>>(x.values).push_back(double{row[i]});
    }
    x.row_offsets.push_back(x.ids.size());
    labels.push_back(label);
    weights.push_back(weight);
  }
  objective::Problem problem(const prior::AnyPrior& family, bool of_intercept = false) {
    prior.emplace(family, of_intercept ? shape.size() : shape.num_features * shape.stride(), shape.size());
    return {.x = &x, .labels = labels, .weights = weights, .shape = shape, .prior = &*prior};
  }
};

optim::FitSummary fit(const objective::Problem& problem, std::string_view optimizer, bool may_change = true) {
  const math::Vector start(problem.shape.size(), 0.0);
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.batch.may_change = may_change;  // as auto lets it
  return optim::run_choice({&optim::find_optimizer(optimizer), {}}, request);
}

double error_at(const objective::Problem& problem, const math::Vector& b) {
  return objective::evaluate_error(problem, b).error();
}

// Columns m + z, z of deviation 1, m so many times as large; the labels know z alone.
DenseTable far_table(double m, std::size_t classes, std::optional<ClassId> reference) {
  DenseTable table(3, classes, reference);
  Random random(11);
  for (int j = 0; j < 150; ++j) {
    const double a = random.normal(), b = random.normal(), c = random.normal();
    double best = -1e9;
    ClassId label = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double score = static_cast<double>(k) * (a - b) - std::log(-std::log(random.uniform() + 1e-300));
      if (score > best) best = score, label = static_cast<ClassId>(k);
    }
    table.add({m + a, -2 * m + b, 3 * m + a + 1e-1 * c}, label);
  }
  return table;
}

class AwkwardColumns : public testing::TestWithParam<std::string> {};

TEST_P(AwkwardColumns, optimum_of_far_columns_is_that_of_near_ones) {
  const auto& optimizer = optim::find_optimizer(GetParam());
  for (const std::size_t classes : {2U, 3U})
    for (const prior::AnyPrior& family :
         {prior::AnyPrior(prior::Uniform{}), prior::AnyPrior(prior::Gaussian{0.1}),
          prior::AnyPrior(prior::Laplace{2}), prior::AnyPrior(prior::Cauchy{1})})
      for (const double m : {1e4, 1e6, 1e9}) {
        const auto reference = classes == 2 ? std::optional(ClassId{0}) : std::nullopt;
        DenseTable near = far_table(0, classes, reference), far = far_table(m, classes, reference);
        const objective::Problem problem = far.problem(family), of_near = near.problem(family);
        if (optimizer.refuses(*problem.prior)) continue;
        SCOPED_TRACE(std::string(problem.prior->family()) + ", " + std::to_string(classes) +
                     " classes, mean " + std::to_string(m));
        const optim::FitSummary found = fit(problem, GetParam()), expected = fit(of_near, GetParam());
        // Values have lost as many digits as their means have more, and so has the intercept.
        const double lost = 1e-15 * m;
        if (lost < 1e-7) {
          EXPECT_EQ(found.reason, optim::Termination::converged) << found.message;
        }
        EXPECT_NEAR(error_at(problem, found.coefficients), error_at(of_near, expected.coefficients),
                    (2e-6 + 100 * lost) * error_at(of_near, expected.coefficients));
        if (!problem.prior->convex()) continue;
        const model::Certificate certificate = objective::certify(problem, found.coefficients);
        ASSERT_TRUE(certificate.relative_gap);
        EXPECT_LE(*certificate.relative_gap, 1e-6 + 10 * lost);
      }
}

std::vector<std::string> factoring_names() { return {"newton", "lbfgs", "coordinate", "irls", "lm", "bfgs"}; }

INSTANTIATE_TEST_SUITE_P(catalog, AwkwardColumns, testing::ValuesIn(factoring_names()),
                         [](const auto& test) { return test.param; });

// The certificate is that of the coefficients that are handed over, whose intercept has lost what columns are far off.
TEST(awkward_columns, certificates_are_those_of_the_columns_as_they_are) {
  for (const double m : {1e6, 1e9, 1e12}) {
    DenseTable far = far_table(m, 2, ClassId{0});
    const objective::Problem problem = far.problem(prior::Uniform{});
    const optim::FitSummary found = fit(problem, "newton");
    const model::Certificate certificate = objective::certify(problem, found.coefficients);
    EXPECT_EQ(found.reason == optim::Termination::converged,
              objective::shows_optimum(problem, found.coefficients, certificate, 1e-6))
        << m << ": " << found.message;
  }
}

// Seconds of one day, since 1970: classes that the hour separates are told from classes that it does not.
TEST(awkward_columns, separation_by_far_columns_is_seen) {
  for (const bool separated : {false, true}) {
    DenseTable table(2, 2, ClassId{0});
    Random random(5);
    for (int j = 0; j < 60; ++j) {
      const double second = std::floor(86'400 * random.uniform());
      const bool later = second > 50'000;
      table.add({1.6e9 + second, random.normal()}, later != (!separated && j % 7 == 0) ? 1 : 0);
    }
    const objective::Problem problem = table.problem(prior::Uniform{});
    const optim::FitSummary found = fit(problem, "newton");
    EXPECT_EQ(found.reason, separated ? optim::Termination::separation : optim::Termination::converged)
        << found.message;
    if (!separated) continue;
    double margin = 1;
    for (std::size_t j = 0; j < table.labels.size(); ++j) {
      const auto& d = found.separating_direction;
      const double score = table.x.value(2 * j) * d[0] + table.x.value(2 * j + 1) * d[1] + d[2];
      margin = std::min(margin, table.labels[j] == 1 ? score : -score);
    }
    EXPECT_GT(margin, 0);
  }
}

TEST(awkward_columns, held_out_rows_see_coefficients_of_the_rows_as_they_are) {
  DenseTable table = far_table(1e6, 2, ClassId{0});
  const objective::Problem problem = table.problem(prior::Gaussian{0.1});
  const math::Vector start(problem.shape.size(), 0.0);
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  double last = 0;
  request.holdout_log_loss = [&](std::span<const double> b) {
    return last = error_at(problem, {b.begin(), b.end()});
  };
  const optim::FitSummary found = optim::run_choice({&optim::find_optimizer("newton"), {}}, request);
  EXPECT_NEAR(last, error_at(problem, found.coefficients), 1e-6 * last);
}

TEST(shifted_columns, are_there_only_for_far_columns_beside_free_intercepts) {
  using objective::ShiftedColumns;
  DenseTable far = far_table(1e4, 3, std::nullopt), near = far_table(100, 3, std::nullopt);
  EXPECT_TRUE(ShiftedColumns::of(far.problem(prior::Gaussian{1})));
  EXPECT_FALSE(ShiftedColumns::of(far.problem(prior::Gaussian{1}, true)));
  EXPECT_FALSE(ShiftedColumns::of(near.problem(prior::Gaussian{1})));
  far.shape.has_intercept = false;
  EXPECT_FALSE(ShiftedColumns::of(far.problem(prior::Gaussian{1})));
  DenseTable constant(2, 2, ClassId{0});
  for (int j = 0; j < 20; ++j) constant.add({1e6, j % 3 - 1.0}, j % 2);
  EXPECT_FALSE(ShiftedColumns::of(constant.problem(prior::Gaussian{1})));
}

TEST(shifted_columns, have_the_same_error_at_the_same_coefficients) {
  DenseTable table = far_table(1e4, 3, std::nullopt);
  const objective::Problem problem = table.problem(prior::Laplace{2});
  const auto shifted = objective::ShiftedColumns::of(problem);
  ASSERT_TRUE(shifted);
  Random random(3);
  math::Vector b(problem.shape.size(), 0.0);
  for (double& x : b) x = 1e-4 * random.normal();
  EXPECT_NEAR(error_at(shifted->problem(), shifted->shifted(b)), error_at(problem, b), 1e-9);
  const math::Vector back = shifted->original(shifted->shifted(b));
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(back[i], b[i], 1e-14);
}

// A year, but 0 where it is missing: that row is settled, and the years alone tell the rest.
TEST(awkward_columns, optimum_without_a_reference_is_proved_beside_an_outlier) {
  DenseTable table(1, 2, std::nullopt);
  const double x[] = {1595.67, 1596.11, 1595.21, 1595.80, 1595.39, 1593.98, 0, 1596.00};
  for (int j = 0; j < 8; ++j) table.add({x[j]}, j == 4 || j == 7 ? 1 : 0);
  const optim::FitSummary found = fit(table.problem(prior::Uniform{}), "newton");
  EXPECT_EQ(found.reason, optim::Termination::converged) << found.message;
}

// The other column's coefficient is at its optimum, and that of the small one at 0: its derivative is small because its numbers
// are, but the error could fall by a third.
TEST(awkward_columns, small_derivatives_of_small_numbers_are_no_optimum) {
  DenseTable table(2, 2, ClassId{0}), without(1, 2, ClassId{0});
  Random random(3);
  for (int j = 0; j < 200; ++j) {
    const double a = random.normal(), b = random.normal();
    const double noise = std::log(1 / (random.uniform() + 1e-300) - 1);
    const int label = 0.3 * a + 2 * b + noise > 0 ? 1 : 0;
    table.add({a, 1e-7 * b}, label);
    without.add({a}, label);
  }
  for (const prior::AnyPrior& family :
       {prior::AnyPrior(prior::Uniform{}), prior::AnyPrior(prior::Cauchy{1e-16})}) {
    const objective::Problem problem = table.problem(family);
    const math::Vector part = fit(without.problem(family), "newton").coefficients;
    const math::Vector b{part[0], 0, part[1]};
    const model::Certificate certificate = objective::certify(problem, b);
    EXPECT_FALSE(objective::shows_optimum(problem, b, certificate, 1e-6)) << certificate.gradient_norm;
    const math::Vector best = fit(problem, "newton").coefficients;
    EXPECT_LT(error_at(problem, best), 0.8 * error_at(problem, b));
    EXPECT_TRUE(objective::shows_optimum(problem, best, objective::certify(problem, best), 1e-6));
    for (const optim::OptimizerEntry& entry : optim::optimizers()) {
      if (entry.stochastic || entry.refuses(*problem.prior)) continue;
      optim::FitRequest request;
      request.problem = problem;
      request.start = b;
      request.max_passes = 300;
      const optim::FitSummary found = entry.run(request);
      EXPECT_TRUE(found.reason != optim::Termination::converged ||
                  error_at(problem, found.coefficients) < error_at(problem, best) * (1 + 1e-5))
          << entry.name << ": " << found.message;
    }
  }
}

}  // namespace
}  // namespace lazylogit
