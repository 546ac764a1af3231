// --max-passes: every exact optimizer ends within two passes of its limit, wherever in a step that is, and not above where it
// started.
#include <gtest/gtest.h>

#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

class PassLimit : public testing::TestWithParam<std::string> {};

std::vector<std::string> exact_names() {
  std::vector<std::string> names;
  for (const OptimizerEntry& entry : optimizers())
    if (!entry.stochastic) names.emplace_back(entry.name);
  return names;
}

// Few features: Hessians are factored; many: conjugate gradients.
TEST_P(PassLimit, Holds) {
  for (const prior::AnyPrior& prior : test::priors())
    for (const std::size_t features : {5U, 1600U})
      for (const std::size_t classes : {2U, 3U}) {
        const model::Shape shape{.num_classes = classes,
                                 .reference = classes == 2 ? std::optional(ClassId{0}) : std::nullopt};
        const auto p = test::make_sparse_problem({.num_rows = 150,
                                                  .num_features = features,
                                                  .density = features < 10 ? 0.7 : 0.02,
                                                  .shape = shape,
                                                  .seed = features + classes},
                                                 prior);
        if (find_optimizer(GetParam()).refuses(*p->prior)) continue;
        const std::vector<double> start = test::prior_means(*p);
        const double before = objective::evaluate_error(p->problem, start).error();
        for (const std::uint64_t most : {1U, 2U, 3U, 4U, 5U, 7U, 10U, 17U, 30U}) {
          SCOPED_TRACE(std::string(p->prior->family()) + ", " + std::to_string(features) + " features, " +
                       std::to_string(classes) + " classes, at most " + std::to_string(most));
          FitRequest request;
          request.problem = p->problem;
          request.start = start;
          request.gap = 1e-14;
          request.refine = true;
          request.max_passes = most;
          const FitSummary fit = find_optimizer(GetParam()).run(request);
          EXPECT_LE(fit.passes, most + 2) << fit.message;
          EXPECT_LE(objective::evaluate_error(p->problem, fit.coefficients).error(), before * (1 + 1e-12));
          if (fit.reason == Termination::max_passes) {
            EXPECT_GE(fit.passes, most) << fit.message;
          }
        }
      }
}

INSTANTIATE_TEST_SUITE_P(catalog, PassLimit, testing::ValuesIn(exact_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lazylogit::optim
