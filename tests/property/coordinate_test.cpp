// Coordinate descent ends where Newton's method ends, for every convex prior and form of the model, and its
// bytes do not depend on the threads.
#include "lazylogit/optim/coordinate/coordinate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit {
namespace {

const std::vector<prior::AnyPrior> convex_priors{prior::Gaussian{2}, prior::Laplace{1.5},
                                                 prior::ElasticNet{0.8, 0.5}};

std::unique_ptr<test::SparseProblem> make_problem(std::uint64_t seed, const prior::AnyPrior& family) {
  Random random(seed);
  test::SparseProblemOptions options;
  options.num_rows = 30 + random.below(200);
  options.num_features = 3 + random.below(random.below(3) == 0 ? 60 : 15);
  options.density = random.below(3) == 0 ? 1.0 : 0.3;
  options.shape.num_classes = 2 + random.below(5);
  options.shape.has_intercept = random.below(5) != 0;
  if (random.below(2) == 0)
    options.shape.reference = static_cast<ClassId>(random.below(options.shape.num_classes));
  options.values = static_cast<test::ValueKind>(random.below(3));
  options.weights = random.below(2) == 0;
  options.offsets = options.shape.num_classes == 2 && random.below(2) == 0;
  options.seed = seed;
  auto p = test::make_sparse_problem(options, family);
  if (random.below(2) == 0) test::scatter_prior(*p, seed);
  return p;
}

optim::FitRequest request_for(const test::SparseProblem& p, std::span<const double> start) {
  optim::FitRequest request;
  request.problem = p.problem;
  request.start = start;
  request.gap = 1e-9;
  return request;
}

class CoordinateDescent : public testing::TestWithParam<std::tuple<std::size_t, std::uint64_t>> {};

TEST_P(CoordinateDescent, reaches_the_error_of_newton_and_rests_on_kinks) {
  const auto [family, seed] = GetParam();
  const auto p = make_problem(seed, convex_priors[family]);
  std::vector<double> start = test::prior_means(*p);
  if (seed % 3 == 0) {  // from elsewhere as well; pinned coefficients and padding stay
    Random random(seed);
    const objective::Posterior objective(p->problem);
    for (std::size_t i = 0; i < start.size(); ++i)
      if (objective.fixed().empty() || !objective.fixed()[i]) start[i] += random.normal();
  }
  const optim::FitRequest request = request_for(*p, start);
  const optim::FitSummary fit = optim::run_coordinate(request);
  const optim::FitSummary newton = optim::find_optimizer("newton").run(request);
  if (newton.reason == optim::Termination::separation) {
    EXPECT_EQ(fit.reason, optim::Termination::separation) << fit.message;
    return;
  }
  const double error = objective::evaluate_error(p->problem, fit.coefficients).error();
  const double reached = objective::evaluate_error(p->problem, newton.coefficients).error();
  EXPECT_LE(error, reached * (1 + 1e-8)) << fit.message << " / " << newton.message;
  if (newton.reason == optim::Termination::converged) {
    EXPECT_EQ(fit.reason, optim::Termination::converged) << fit.message;
  }
}

INSTANTIATE_TEST_SUITE_P(problems, CoordinateDescent,
                         testing::Combine(testing::Range<std::size_t>(0, 3),
                                          testing::Range<std::uint64_t>(1, 31)));

TEST(coordinate_descent, gives_the_same_bytes_for_every_number_of_threads) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 6000, .num_features = 60, .shape = {.num_classes = 4}, .weights = true},
      prior::Laplace{2});
  const std::vector<double> start = test::prior_means(*p);
  const ThreadLimit one(1);
  const math::Vector first = optim::run_coordinate(request_for(*p, start)).coefficients;
  for (const std::size_t threads : {2u, 5u}) {
    const ThreadLimit several(threads);
    EXPECT_EQ(optim::run_coordinate(request_for(*p, start)).coefficients, first);
  }
}

TEST(coordinate_descent, fits_columns_of_very_different_scales) {
  auto p = test::make_sparse_problem(
      {.num_rows = 300, .num_features = 12, .density = 1, .shape = {.num_classes = 3}}, prior::Laplace{1});
  auto& values = std::get<Buffer<double>>(p->x.values);
  p->prior->make_per_coordinate();
  for (std::size_t i = 0; i < 12; ++i) {
    const double scale = std::pow(10.0, static_cast<double>(i) - 6);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (p->x.ids[k] == i) values[k] = (values[k] + 3) * scale;
    for (std::size_t v = 0; v < 3; ++v)
      p->prior->set(p->problem.shape.index(i, v), prior::Laplace{2 * scale}, 0, false);
  }
  const std::vector<double> start = test::prior_means(*p);
  const optim::FitSummary fit = optim::run_coordinate(request_for(*p, start));
  EXPECT_EQ(fit.reason, optim::Termination::converged) << fit.message;
}

TEST(coordinate_descent, finds_the_optimum_of_copied_columns) {
  auto p = test::make_sparse_problem(
      {.num_rows = 200, .num_features = 20, .density = 0.5, .shape = {.num_classes = 2, .reference = 0}},
      prior::Laplace{1});
  // Columns 10 … 19 become copies of 0 … 9.
  data::SparseMatrix x;
  x.num_features = 20;
  Buffer<double> values;
  for (std::size_t j = 0; j < 200; ++j) {
    for (const std::uint32_t shift : {0u, 10u})
      for (std::size_t k = p->x.row_offsets[j]; k < p->x.row_offsets[j + 1]; ++k)
        if (p->x.ids[k] < 10) x.ids.push_back(p->x.ids[k] + shift), values.push_back(p->x.value(k));
    x.row_offsets.push_back(x.ids.size());
  }
  x.values = std::move(values);
  p->problem.x = &x;
  const std::vector<double> start = test::prior_means(*p);
  const optim::FitSummary fit = optim::run_coordinate(request_for(*p, start));
  EXPECT_EQ(fit.reason, optim::Termination::converged) << fit.message;
}

}  // namespace
}  // namespace lazylogit
