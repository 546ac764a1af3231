#include "lazylogit/train/option_owners.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::train {
namespace {

TrainOptions options_with(const std::function<void(TrainOptions&)>& change) {
  TrainOptions options;
  change(options);
  return options;
}

std::string said_of(const TrainOptions& options, const std::string& optimizer) {
  try {
    check_use(options, optimizer);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(option_owners, sentences_name_what_would_work) {
  const TrainOptions passes = options_with([](TrainOptions& o) { o.max_passes = 5; });
  EXPECT_NE(said_of(passes, "sgd").find("--epochs"), std::string::npos) << said_of(passes, "sgd");
  const TrainOptions epochs = options_with([](TrainOptions& o) { o.epochs = 5; });
  EXPECT_NE(said_of(epochs, "newton").find("it is for sgd, "), std::string::npos)
      << said_of(epochs, "newton");
}

TEST(option_owners, only_optimizers_that_accept_the_prior_are_named) {
  const TrainOptions options = options_with([](TrainOptions& o) {
    o.prior = "cauchy";
    o.restarts = 2;
  });
  const std::string said = said_of(options, "sgd");
  EXPECT_NE(said.find("newton"), std::string::npos) << said;
  EXPECT_NE(said.find("lbfgs"), std::string::npos) << said;
  EXPECT_EQ(said.find("irls"), std::string::npos) << said;
}

// Which one auto takes depends on the data: an option must not be refused by some data and ignored by other.
TEST(option_owners, auto_refuses_what_some_of_its_optimizers_ignore) {
  const TrainOptions memory = options_with([](TrainOptions& o) { o.memory = 20; });
  EXPECT_NE(said_of(memory, "auto").find("newton or coordinate, which auto may take"), std::string::npos)
      << said_of(memory, "auto");
  EXPECT_NE(said_of(memory, "auto").find("--optimizer: lbfgs"), std::string::npos);
  const TrainOptions bounds = options_with([](TrainOptions& o) { o.bounds = "bounds.csv"; });
  EXPECT_NE(said_of(bounds, "auto").find("sgd"), std::string::npos) << said_of(bounds, "auto");
  EXPECT_NE(said_of(bounds, "auto").find("saga"), std::string::npos);
  EXPECT_EQ(said_of(options_with([](TrainOptions& o) { o.max_passes = 5; }), "auto"), "");
}

TEST(option_owners, a_gap_is_for_the_exact_steps_of_finish_too) {
  const TrainOptions alone = options_with([](TrainOptions& o) { o.gap = 1e-9; });
  EXPECT_NE(said_of(alone, "sgd").find("--finish"), std::string::npos) << said_of(alone, "sgd");
  const TrainOptions finished = options_with([](TrainOptions& o) {
    o.gap = 1e-9;
    o.finish = 5;
  });
  EXPECT_EQ(said_of(finished, "sgd"), "");
}

TEST(option_owners, options_alone_choose_the_stochastic_optimizer_that_knows_them) {
  EXPECT_EQ(stochastic_choice(options_with([](TrainOptions& o) { o.epochs = 3; })), "sgd");
  EXPECT_EQ(stochastic_choice(options_with([](TrainOptions& o) { o.beta = 2; })), "ftrl");
  EXPECT_EQ(stochastic_choice(options_with([](TrainOptions& o) {
              o.rho = 0.8;
              o.epsilon = 1e-7;
            })),
            "adadelta");
}

TEST(option_owners, every_optimizer_knows_the_defaults) {
  for (const optim::OptimizerEntry& entry : optim::optimizers())
    EXPECT_EQ(said_of({}, std::string(entry.name)), "");
  EXPECT_EQ(said_of({}, "auto"), "");
}

TEST(option_owners, several_optimizers_share_an_option_that_one_of_them_knows) {
  const TrainOptions epochs = options_with([](TrainOptions& o) { o.epochs = 5; });
  EXPECT_NO_THROW(check_some_use(epochs, {"auto", "sgd"}));
  EXPECT_THROW(check_some_use(epochs, {"auto"}), ConfigError);
  EXPECT_THROW(check_some_use(epochs, {"newton", "lbfgs"}), ConfigError);
}

TEST(option_owners, one_of_several_has_the_options_that_it_knows) {
  const TrainOptions all = options_with([](TrainOptions& o) {
    o.epochs = 5;
    o.anneal = 3;
    o.memory = 20;
    o.shards = 4;
    o.variance = 2;
  });
  const TrainOptions sgd = known_to(all, "sgd"), adagrad = known_to(all, "adagrad"),
                     lbfgs = known_to(all, "lbfgs");
  EXPECT_EQ(sgd.epochs, 5U);
  EXPECT_EQ(sgd.anneal, 3);
  EXPECT_EQ(sgd.shards, 4U);
  EXPECT_EQ(sgd.memory, TrainOptions().memory);
  EXPECT_FALSE(adagrad.anneal) << "its own schedule is constant";
  EXPECT_EQ(adagrad.shards, 1U);
  EXPECT_FALSE(lbfgs.epochs);
  EXPECT_EQ(lbfgs.memory, 20U);
  EXPECT_EQ(lbfgs.variance, 2);
  EXPECT_EQ(lbfgs.optimizer, "lbfgs");
}

// What a rate that does not fall with time would ignore.
TEST(option_owners, times_belong_to_rates_that_fall) {
  const TrainOptions per_example = options_with([](TrainOptions& o) { o.decay_per = "example"; });
  EXPECT_NE(said_of(per_example, "adagrad").find("add --schedule"), std::string::npos)
      << said_of(per_example, "adagrad");
  EXPECT_EQ(said_of(per_example, "sgd"), "");
  EXPECT_EQ(said_of(options_with([](TrainOptions& o) {
                      o.decay_per = "example";
                      o.schedule = "power";
                    }),
                    "adagrad"),
            "");
}

TEST(option_owners, constraints_are_refused_by_whoever_would_not_keep_them) {
  const TrainOptions norm = options_with([](TrainOptions& o) { o.max_norm = 0.5; });
  EXPECT_FALSE(refuses_constraints(norm, "sgd"));
  EXPECT_TRUE(refuses_constraints(norm, "adam"));
  EXPECT_TRUE(refuses_constraints(norm, "auto"));
  EXPECT_FALSE(refuses_constraints({}, "newton"));
}

}  // namespace
}  // namespace lazylogit::train
