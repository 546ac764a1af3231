// The numbers behind the figures of docs/explanation/laziness.md, as CSV on standard output:
//   figure,series,x,y
// docs/explanation/plots/draw.py turns them into SVG.
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "stopwatch.hpp"
#include "text_like_data.hpp"

namespace {

using namespace lazylogit;
using namespace lazylogit::bench;

void point(const char* figure, const std::string& series, double x, double y) {
  std::printf("%s,%s,%.17g,%.17g\n", figure, series.c_str(), x, y);
}

// Microseconds per example as the number of features grows, 40 non-zeros in a row.
void time_against_features() {
  struct Form {
    const char* name;
    prior::AnyPrior prior;
    std::uint64_t every;
    std::size_t most_features;
  };
  const Form forms[] = {{"lazy gaussian", prior::Gaussian::from_variance(1), 0, 100000000},
                        {"lazy laplace", prior::Laplace::from_variance(1), 0, 100000000},
                        {"every 1000 examples", prior::Laplace::from_variance(1), 1000, 10000000},
                        {"dense", prior::Laplace::from_variance(1), 1, 1000000}};
  for (std::size_t features = 1000; features <= 10000000; features *= 10)
    for (const Form& form : forms) {
      if (features > form.most_features) continue;
      const std::size_t rows = form.every == 0 ? 20000 : form.every == 1 ? 50 : 2000;
      const TextLikeData data =
          make_text_like({.num_rows = rows, .per_row = 40, .num_features = features, .zipf = false});
      const model::Shape shape{.num_features = features, .num_classes = 2, .reference = ClassId{0}};
      const prior::PriorTable table(form.prior, features, shape.size());
      const objective::Problem problem{
          .x = &data.x, .labels = data.labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &table};
      math::Vector b(shape.size(), 0.0);
      std::vector<std::uint64_t> order(rows);
      std::iota(order.begin(), order.end(), 0);
      const auto learner =
          optim::make_learner(problem, {.prior_every = form.every}, static_cast<double>(rows), b);
      Best best;
      for (int round = 0; round < 3; ++round) {
        best.add(seconds_of(
            [&] { learner->learn(order, {.kind = optim::ScheduleKind::constant, .rate = 0.5}, {}, 1); }));
        learner->finish(b);
      }
      point("time", form.name, static_cast<double>(features),
            1e6 * best.seconds() / static_cast<double>(rows));
    }
}

// One coefficient that no example touches: where the three prior steps put it after m missed examples.
template <class P>
void lazy_forms(const char* figure, const P& prior) {
  const double h = 0.1;
  for (std::size_t m = 0; m <= 40; ++m) {
    optim::FlowStep flow;
    optim::CompoundStep compound(10);
    optim::LinearStep linear;
    flow.advance(h, m);
    compound.advance(h, m);
    linear.advance(h, m);
    point(figure, "flow", static_cast<double>(m), flow.apply(prior, 2.0, 0));
    point(figure, "compound", static_cast<double>(m), compound.apply(prior, 2.0, 0));
    point(figure, "linear", static_cast<double>(m), linear.apply(prior, 2.0, 0));
  }
}

template <class P>
void prior_curves(const char* name, const P& prior) {
  for (double b = -4; b <= 4.0001; b += 0.05)
    point("density", name, b, std::exp(-prior.value(b) - prior.normaliser()));
  for (double s = 0; s <= 4.0001; s += 0.05) point("flow", name, s, prior.flow(3.0, s));
}

}  // namespace

int main() {
  std::printf("figure,series,x,y\n");
  lazy_forms("forms_gaussian", prior::Gaussian::from_variance(1));
  lazy_forms("forms_laplace", prior::Laplace::from_variance(1));
  lazy_forms("forms_cauchy", prior::Cauchy::from_scale(1));
  prior_curves("gaussian", prior::Gaussian::from_variance(1));
  prior_curves("laplace", prior::Laplace::from_variance(1));
  prior_curves("cauchy", prior::Cauchy::from_scale(1));
  for (double b = -4; b <= 4.0001; b += 0.05) point("density", "uniform", b, 0.125);
  for (double s = 0; s <= 4.0001; s += 0.05) point("flow", "uniform", s, prior::Uniform{}.flow(3.0, s));
  time_against_features();
  return 0;
}
