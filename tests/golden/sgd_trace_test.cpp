// Whole runs of stochastic gradient descent against 50-digit dense arithmetic: lazy, dense, and averages.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <optional>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "support/golden_case.hpp"

namespace lazylogit::optim {
namespace {

using nlohmann::json;

struct Case {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  model::Shape shape;
  std::optional<prior::PriorTable> prior;
  objective::Problem problem;
};

// Dimension 0 of the file is the intercept.
void load(const json& file, const prior::AnyPrior& prior, Case& c) {
  const json& sparse = file.at("data").at("sparse");
  Buffer<double> values;
  for (const json& row : sparse.at("rows")) {
    std::vector<std::pair<FeatureId, double>> entries;
    for (const json& entry : row)
      if (const FeatureId id = entry.at(0); id > 0) entries.emplace_back(id - 1, entry.at(1).get<double>());
    std::sort(entries.begin(), entries.end());
    for (const auto& [id, value] : entries) {
      c.x.ids.push_back(id);
      values.push_back(value);
    }
    c.x.row_offsets.push_back(c.x.ids.size());
  }
  c.x.values = std::move(values);
  c.labels = sparse.at("y").get<std::vector<ClassId>>();
  c.shape = {
      .num_features = sparse.at("dims").get<std::size_t>() - 1, .num_classes = 3, .reference = ClassId{2}};
  c.x.num_features = c.shape.num_features;
  c.prior.emplace(prior, c.shape.index(c.shape.num_features, 0), c.shape.size());
  c.problem = {
      .x = &c.x, .labels = c.labels, .weights = {}, .offsets = {}, .shape = c.shape, .prior = &*c.prior};
}

std::optional<prior::AnyPrior> prior_of(const json& run) {
  const std::string name = run.at("prior");
  const json& p = run.at("parameters");
  if (name == "uniform") return prior::Uniform{};
  if (name == "laplace") return prior::Laplace::from_variance(p);
  if (name == "gaussian_explicit" || name == "gaussian_flow") return prior::Gaussian::from_variance(p);
  if (name == "elasticnet_explicit" || name == "elasticnet_flow") return prior::ElasticNet{p.at(0), p.at(1)};
  if (name == "cauchy_explicit" || name == "cauchy_flow") return prior::Cauchy::from_scale(p);
  return std::nullopt;  // proximal steps are not offered; lazy_vectors_test checks the formulas
}

std::string schedule_text(const json& run) { return run.at("schedule").dump(); }

Schedule schedule_of(const json& schedule) {
  const std::string kind = schedule.at("kind");
  return {.kind = kind == "constant" ? ScheduleKind::constant : ScheduleKind::inverse,
          .per = kind == "inverse" ? DecayPer::example : DecayPer::epoch,
          .rate = schedule.at("eta0"),
          .anneal = schedule.value("tau", 1.0)};
}

void expect_coefficients(const Case& c, std::span<const double> b, const json& expected,
                         const std::string& where) {
  for (std::size_t v = 0; v < 2; ++v)
    for (std::size_t dim = 0; dim < 6; ++dim) {
      const std::size_t feature = dim == 0 ? c.shape.num_features : dim - 1;
      EXPECT_NEAR(b[c.shape.index(feature, v)], expected.at(v).at(dim).get<double>(), 1e-12)
          << where << " vector " << v << " dimension " << dim;
    }
}

// Learns `steps` examples in cyclic order, an epoch at a time.
math::Vector learn(const Case& c, const StochasticSettings& settings, const Schedule& schedule,
                   std::size_t steps) {
  const std::size_t n = c.labels.size();
  const math::Vector start(c.shape.size(), 0.0);
  const auto learner = make_learner(c.problem, settings, static_cast<double>(n), start);
  math::Vector b(start);
  std::vector<std::uint64_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  for (std::size_t done = 0; done < steps; done += n) {
    learner->learn({rows.data(), std::min(n, steps - done)}, schedule, {done / n, done}, 1);
    learner->finish(b);
  }
  return b;
}

// The product's examples come before the prior's part of their step. A run in the other order does the same but for the
// first prior step, at 0 of no effect, and for the last one, which is missing; where steps differ in size each falls on
// another example, so that only runs of equal steps, or without a prior, are the product's. Proximal steps are not offered.
TEST(SgdTrace, ThePriorFirstIsTheSameButForTheLastStep) {
  const json file = test::golden_case("sgd_trace");
  int checked = 0;
  for (const json& run : file.at("runs")) {
    const Schedule schedule = schedule_of(run.at("schedule"));
    const std::string name = run.at("prior");
    if (run.at("order") != "prior_first") continue;
    if (schedule.kind != ScheduleKind::constant && name != "uniform") continue;
    const auto prior = prior_of(run);
    if (!prior) continue;
    Case c;
    load(file, *prior, c);
    StochasticSettings settings;
    settings.prior_step = name.ends_with("_explicit") ? PriorStep::compound : PriorStep::flow;
    const std::size_t n = c.labels.size(), steps = run.at("epochs").get<std::size_t>() * n;
    json last = run.at("final");
    for (json& vector : last)
      for (std::size_t dim = 1; dim < vector.size(); ++dim)
        vector[dim] = std::visit(
            [&](const auto& p) {
              const double h = schedule.rate / static_cast<double>(n), b = vector[dim];
              return settings.prior_step == PriorStep::compound ? explicit_step(p, b, h) : p.flow(b, h);
            },
            *prior);
    expect_coefficients(c, learn(c, settings, schedule, steps), last, name + " " + schedule_text(run));
    ++checked;
  }
  EXPECT_EQ(checked, 10);
}

TEST(SgdTrace, LazyAndDenseRunsMatch) {
  const json file = test::golden_case("sgd_trace");
  int checked = 0;
  for (const json& run : file.at("runs")) {
    if (run.at("order") != "prior_last") continue;
    const auto prior = prior_of(run);
    if (!prior) continue;
    Case c;
    load(file, *prior, c);
    const std::string name = run.at("prior");
    const bool compound = name.ends_with("_explicit");
    const std::size_t steps = run.at("epochs").get<std::size_t>() * c.labels.size();
    for (const std::uint64_t every : {0u, 1u}) {
      StochasticSettings settings;
      settings.prior_step = compound ? PriorStep::compound : PriorStep::flow;
      settings.prior_every = every;
      const std::string where = run.at("prior").get<std::string>() + " " + run.at("schedule").dump() +
                                (every == 0 ? " lazy" : " dense");
      const Schedule schedule = schedule_of(run.at("schedule"));
      expect_coefficients(c, learn(c, settings, schedule, steps), run.at("final"), where);
      for (const json& pair : run.at("after_steps"))
        expect_coefficients(c, learn(c, settings, schedule, pair.at(0)), pair.at(1), where);
      // Equal steps: the time-weighted mean of the values after each step is the plain one.
      if (schedule.kind == ScheduleKind::constant && (compound || name == "uniform")) {
        settings.average = true;
        settings.prior_step = PriorStep::compound;
        expect_coefficients(c, learn(c, settings, schedule, steps), run.at("average"), where + " average");
      }
      ++checked;
    }
  }
  EXPECT_EQ(checked, 48);
}

}  // namespace
}  // namespace lazylogit::optim
