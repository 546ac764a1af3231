#include "lazylogit/optim/needs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

// What follows "Use" in a sentence about an impossible pair.
std::vector<std::string> suggested(const std::string& sentence) {
  std::vector<std::string> names;
  const std::size_t use = sentence.find(". Use ");
  if (use == std::string::npos) return names;
  std::string name;
  for (const char c : sentence.substr(use + 6) + " ") {
    if (c != ' ' && c != ',') {
      name += c;
    } else {
      if (!name.empty() && name != "or") names.push_back(name);
      name.clear();
    }
  }
  return names;
}

prior::PriorTable coupled_prior() {
  prior::PriorTable prior(prior::Gaussian::from_variance(1), 2, 2);
  prior.make_per_coordinate();
  prior.couple(*prior::Coupling::make({1, 0.5, 0.5, 1}, {0, 1}));
  return prior;
}

TEST(Needs, ASentenceSaysWhatIsMissingAndWhichOptimizersDoWithout) {
  const prior::PriorTable laplace(prior::Laplace::from_variance(1), 2, 2),
      cauchy(prior::Cauchy::from_scale(1), 2, 2);
  EXPECT_EQ(find_optimizer("cg").refuses(laplace),
            "optimizer \"cg\" needs a smooth prior; \"laplace\" has a kink at its mean. Use lbfgs, newton, "
            "coordinate, lm or gd");
  EXPECT_EQ(find_optimizer("irls").refuses(cauchy),
            "optimizer \"irls\" needs a convex prior; \"cauchy\" is not. Use lbfgs, newton, coordinate, lm, "
            "bfgs, cg or gd");
}

TEST(Needs, OptimizersOfTheOtherKindAreNamedWhereNoneOfTheSameDo) {
  const prior::PriorTable coupled = coupled_prior();
  const auto sentence = find_optimizer("sgd").refuses(coupled);
  ASSERT_TRUE(sentence);
  EXPECT_EQ(suggested(*sentence),
            (std::vector<std::string>{"lbfgs", "newton", "irls", "lm", "bfgs", "cg", "gd"}));
}

TEST(Needs, WhateverIsSuggestedAcceptsTheProblem) {
  std::vector<prior::PriorTable> all{coupled_prior()};
  for (const prior::AnyPrior& prior : test::priors()) all.emplace_back(prior, 2, 2);
  all.emplace_back(prior::Gaussian::from_variance(1), 6000, 6000);
  for (const prior::PriorTable& prior : all)
    for (const bool centered : {false, true})
      for (const OptimizerEntry& entry : optimizers()) {
        const Conditions conditions{.prior = prior, .centered = centered};
        const auto sentence = entry.refuses(conditions);
        EXPECT_EQ(sentence.has_value(), entry.lacks(conditions) != nullptr) << entry.name;
        if (!sentence) continue;
        const auto names = suggested(*sentence);
        EXPECT_FALSE(names.empty()) << *sentence;
        for (const std::string& name : names)
          EXPECT_FALSE(find_optimizer(name).refuses(conditions)) << *sentence;
      }
}

TEST(Needs, EachIsOfSomeOptimizerAndNotOfAll) {
  for (const NeedEntry& need : all_needs()) {
    const auto all = optimizers();
    const auto count = std::count_if(all.begin(), all.end(),
                                     [&](const OptimizerEntry& entry) { return entry.needs.has(need.need); });
    EXPECT_GT(count, 0) << need.what;
    EXPECT_LT(static_cast<std::size_t>(count), all.size()) << need.what;
  }
}

}  // namespace
}  // namespace lazylogit::optim
