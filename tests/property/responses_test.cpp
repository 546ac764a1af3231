// Every response: derivatives are those of the error, all optimizers end at the same certified optimum, lazy updates end
// where dense ones do, and labels are so many problems of two classes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/objective/score_line.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit {
namespace {

struct Form {
  const char* name;
  model::Shape shape;
  bool offsets = false;
};

const std::vector<Form>& forms() {
  using data::Response;
  static const std::vector<Form> list{
      {"number", {.num_classes = 1, .response = Response::number}, true},
      {"number without intercept", {.num_classes = 1, .has_intercept = false, .response = Response::number}},
      {"one label", {.num_classes = 1, .response = Response::labels}},
      {"two labels", {.num_classes = 2, .response = Response::labels}},
      {"five labels", {.num_classes = 5, .response = Response::labels}},
      {"eleven labels", {.num_classes = 11, .has_intercept = false, .response = Response::labels}}};
  return list;
}

std::unique_ptr<test::SparseProblem> make(const Form& form, const prior::AnyPrior& prior,
                                          std::size_t rows = 120) {
  return test::make_sparse_problem({.num_rows = rows,
                                    .num_features = 8,
                                    .density = 0.5,
                                    .shape = form.shape,
                                    .weights = true,
                                    .offsets = form.offsets,
                                    .seed = 11},
                                   prior);
}

math::Vector random_point(const model::Shape& shape, std::uint64_t seed) {
  Random random(seed);
  math::Vector b(shape.size(), 0.0);
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) b[shape.index(i, v)] = 0.7 * random.normal();
  return b;
}

TEST(Responses, derivatives_are_those_of_the_error) {
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    const auto p = make(form, prior::Gaussian::from_variance(0.4));
    objective::Posterior objective(p->problem);
    const std::size_t size = objective.size();
    const math::Vector b = random_point(p->problem.shape, 3), v = random_point(p->problem.shape, 4);
    math::Vector gradient(size), plus(size), minus(size), product(size), diagonal(size), matrix(size * size);
    const double value = objective.value_and_gradient(b, gradient);
    EXPECT_NEAR(value, objective::evaluate_error(p->problem, b).error(), 1e-12 * value);
    const double h = 1e-5;
    math::Vector up(b), down(b);
    for (std::size_t i = 0; i < size; ++i) up[i] += h * v[i], down[i] -= h * v[i];
    double slope = 0;
    for (std::size_t i = 0; i < size; ++i) slope += gradient[i] * v[i];
    const double high = objective.value_and_gradient(up, plus),
                 low = objective.value_and_gradient(down, minus);
    EXPECT_NEAR(slope, (high - low) / (2 * h), 1e-6 * (1 + std::abs(slope)));
    objective.value_and_gradient(b, gradient);
    objective.set_curvature_point(b);
    objective.hessian_vector(v, product);
    objective.hessian_diagonal(diagonal);
    objective.hessian_matrix(matrix);
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_NEAR(product[i], (plus[i] - minus[i]) / (2 * h), 1e-5 * (1 + std::abs(product[i])));
      EXPECT_NEAR(diagonal[i], matrix[i * size + i], 1e-12 * (1 + diagonal[i]));
      double sum = 0;
      for (std::size_t k = 0; k < size; ++k) sum += matrix[i * size + k] * v[k];
      EXPECT_NEAR(sum, product[i], 1e-10 * (1 + std::abs(sum)));
    }
  }
}

TEST(Responses, lines_of_scores_agree_with_the_likelihood) {
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    const auto p = make(form, prior::Uniform{});
    const model::Shape& shape = p->problem.shape;
    const math::Vector b = random_point(shape, 3);
    objective::Likelihood likelihood(p->problem);
    math::Vector gradient(shape.size());
    const double value = likelihood.value_and_gradient(b.data(), gradient.data());
    objective::ScoreLine line(p->problem);
    EXPECT_NEAR(line.set_point(b), value, 1e-12 * value);
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      for (std::size_t j = 0; j < p->x.num_rows(); ++j)
        line.direction(v)[j] = 0.3 + 0.1 * static_cast<double>(v);
    double slope = 0;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      for (std::size_t j = 0; j < p->x.num_rows(); ++j)
        slope += p->problem.weight(j) * (line.probabilities(v)[j] - line.target(j, v)) * line.direction(v)[j];
    EXPECT_NEAR(line.slope(), slope, 1e-10 * (1 + std::abs(slope)));
    const double h = 1e-5;
    EXPECT_NEAR((line.value_at(h) - line.value_at(-h)) / (2 * h), slope, 1e-5 * (1 + std::abs(slope)));
  }
}

// Labels as so many problems of two classes, and any other response as one.
double certified_error(const objective::Problem& problem, const char* optimizer, math::Vector* b,
                       double gap = 1e-9) {
  math::Vector start(problem.shape.size(), 0.0);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = problem.prior->mean(i);
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = gap;
  optim::StochasticSettings settings;
  settings.epochs = 20000;
  const optim::OptimizerEntry& entry = optim::find_optimizer(optimizer);
  if (entry.stochastic) request.stochastic = &settings;
  const optim::FitSummary fit = entry.run(request);
  const model::Certificate certificate = objective::certify(problem, fit.coefficients);
  EXPECT_TRUE(objective::satisfies(certificate, 1e-6))
      << optimizer << ": " << certificate.relative_gap.value_or(-1) << " " << fit.message;
  if (b != nullptr) *b = fit.coefficients;
  return certificate.error;
}

TEST(Responses, every_exact_optimizer_reaches_the_same_certified_optimum) {
  for (const Form& form : forms())
    for (const prior::AnyPrior& prior : test::priors()) {
      const auto p = make(form, prior);
      if (!p->prior->convex()) continue;
      const double best = certified_error(p->problem, "newton", nullptr);
      for (const optim::OptimizerEntry& entry : optim::optimizers()) {
        if ((entry.stochastic && entry.name != "saga") || entry.refuses(*p->prior)) continue;
        SCOPED_TRACE(std::string(form.name) + ", " + std::string(p->prior->family()) + ", " +
                     std::string(entry.name));
        EXPECT_NEAR(certified_error(p->problem, std::string(entry.name).c_str(), nullptr), best, 2e-6 * best);
      }
    }
}

TEST(Responses, certificates_never_claim_less_than_the_distance) {
  for (const Form& form : forms())
    for (const prior::AnyPrior& prior : test::priors()) {
      const auto p = make(form, prior);
      if (!p->prior->convex()) continue;
      SCOPED_TRACE(std::string(form.name) + ", " + std::string(p->prior->family()));
      math::Vector best;
      const double lowest = certified_error(p->problem, "newton", &best);
      for (const double distance : {1e-6, 1e-3, 1e-2, 0.1, 1.0}) {
        math::Vector b = random_point(p->problem.shape, 9);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = best[i] + distance * b[i];
        const model::Certificate certificate = objective::certify(p->problem, b);
        if (!certificate.lower_bound) continue;
        EXPECT_LE(*certificate.lower_bound, lowest * (1 + 1e-12));
      }
    }
}

TEST(Responses, labels_are_so_many_problems_of_two_classes) {
  const Form form{"five labels", {.num_classes = 5, .response = data::Response::labels}};
  for (const prior::AnyPrior& prior : test::priors()) {
    const auto p = make(form, prior);
    if (!p->prior->convex()) continue;
    const model::Shape& shape = p->problem.shape;
    math::Vector all;
    certified_error(p->problem, p->prior->family() == "laplace" ? "coordinate" : "newton", &all, 1e-13);
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      auto one = make({"two classes", {.num_classes = 2, .reference = 0}}, prior);
      for (std::size_t j = 0; j < one->labels.size(); ++j) {
        const auto own = p->label_sets[j];
        one->labels[j] = std::find(own.begin(), own.end(), static_cast<ClassId>(v)) != own.end() ? 1 : 0;
      }
      one->x = p->x;
      one->weights = p->weights;
      one->problem.x = &one->x;
      one->problem.weights = one->weights;
      math::Vector b;
      certified_error(one->problem, "newton", &b, 1e-13);
      for (std::size_t i = 0; i < shape.num_rows(); ++i)
        EXPECT_NEAR(all[shape.index(i, v)], b[i], 1e-6) << p->prior->family() << " " << i << " " << v;
    }
  }
}

TEST(Responses, lazy_updates_end_where_dense_ones_do) {
  for (const Form& form : forms())
    for (const prior::AnyPrior& prior : test::priors()) {
      const auto p = make(form, prior, 60);
      SCOPED_TRACE(std::string(form.name) + ", " + std::string(p->prior->family()));
      const std::vector<double> start(p->problem.shape.size(), 0.0);
      const auto rows = test::positive_rows(*p);
      const auto n = static_cast<double>(rows.size());
      math::Vector lazy(start.size()), dense(start.size());
      double losses[2];
      for (const bool eager : {false, true}) {
        optim::StochasticSettings settings;
        settings.prior_every = eager ? 1 : 0;
        const auto learner = optim::make_learner(p->problem, settings, n, start);
        const optim::Schedule schedule = settings.make_schedule(0.05, n);
        losses[eager] = learner->learn(rows, schedule, {}, 1);
        learner->finish(eager ? dense : lazy);
      }
      EXPECT_NEAR(losses[0], losses[1], 1e-9 * losses[0]);
      for (std::size_t i = 0; i < lazy.size(); ++i) EXPECT_NEAR(lazy[i], dense[i], 1e-10);
    }
}

}  // namespace
}  // namespace lazylogit
