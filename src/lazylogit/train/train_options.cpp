#include "lazylogit/train/train_options.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "lazylogit/model/posterior_approximation.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/stochastic/schedule.hpp"
#include "lazylogit/prior/prior_table.hpp"

namespace lazylogit::train {
namespace {

using config::above;
using config::at_least;
using config::between;
using Builder = config::TableBuilder<TrainOptions>;

template <class... P>
std::vector<std::string> names_of(const std::variant<P...>*) {
  return {P::name...};
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names{"auto"};
  for (const optim::OptimizerEntry& entry : optim::optimizers()) names.emplace_back(entry.name);
  for (const optim::OnlineEntry& entry : optim::online_learners())
    if (std::find(names.begin(), names.end(), entry.name) == names.end()) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> schedule_names() {
  std::vector<std::string> names;
  for (const optim::ScheduleEntry& entry : optim::schedules) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> posterior_names() {
  std::vector<std::string> names = model::posterior_kind_names();
  names.insert(names.begin(), "none");
  return names;
}

// A prior so wide is none.
constexpr const char* infinite_width = "--prior uniform leaves every coefficient free";

void add_model(Builder& t) {
  t.group("Model");
  t.add(
      {.name = "loss",
       .value = "LOSS",
       .help =
           "logistic: labels are classes; squared: labels are numbers, and the model is a linear regression",
       .choices = {"logistic", "squared"}},
      &TrainOptions::loss);
  t.add({.name = "multilabel",
         .help =
             "a row has any number of labels, separated by commas; each is learned as a problem of its own"},
        &TrainOptions::multilabel);
  t.add({.name = "prior",
         .value = "FAMILY",
         .help = "prior of the coefficients",
         .choices = names_of(static_cast<const prior::AnyPrior*>(nullptr))},
        &TrainOptions::prior);
  t.add({.name = "variance",
         .value = "V",
         .help = "variance of the gaussian or laplace prior",
         .bounds = above(0),
         .unset = config::format_real(default_variance),
         .for_infinity = infinite_width},
        &TrainOptions::variance);
  t.add({.name = "scale",
         .value = "S",
         .help = "scale of the cauchy prior",
         .bounds = above(0),
         .unset = config::format_real(default_scale),
         .for_infinity = infinite_width},
        &TrainOptions::scale);
  t.add({.name = "l1",
         .value = "A",
         .help = "elastic-net: penalty A·|b| per coefficient",
         .bounds = at_least(0),
         .unset = config::format_real(default_l1)},
        &TrainOptions::l1);
  t.add({.name = "l2",
         .value = "B",
         .help = "elastic-net: penalty B·b²/2 per coefficient",
         .bounds = at_least(0),
         .unset = config::format_real(default_l2)},
        &TrainOptions::l2);
  t.add(
      {.name = "prior-file",
       .value = "FILE",
       .help = "csv with a prior per feature and class: feature,class,mean,variance (gaussian, laplace), "
               "feature,class,mean,scale (cauchy) or feature,class,mean,l1,l2; * is every one, inf no prior, "
               "0 pinned to the mean; docs/formats/priors.md"},
      &TrainOptions::prior_file);
  t.add({.name = "prior-covariance",
         .value = "FILE",
         .help = "gaussian: csv with a covariance matrix of the coefficients of some features",
         .unset = "coefficients are independent"},
        &TrainOptions::prior_covariance);
  t.add({.name = "scale-prior",
         .help = "divide prior variances by each feature's variance; the data stays as it is"},
        &TrainOptions::scale_prior);
  t.add({.name = "standardize",
         .value = "HOW",
         .help = "divide features by their deviation; center also subtracts the mean",
         .choices = {"none", "scale", "center"}},
        &TrainOptions::standardize);
  t.add({.name = "class-weights",
         .value = "balanced|FILE",
         .help = "multiply example weights by class: all classes alike, or a csv file class,weight"},
        &TrainOptions::class_weights);
  t.add({.name = "no-intercept", .help = "leave the intercept out", .negated = true},
        &TrainOptions::intercept);
  t.add({.name = "prior-intercept", .help = "the prior acts on the intercept too"},
        &TrainOptions::prior_intercept);
  t.add({.name = "reference",
         .value = "LABEL",
         .help = "the class whose score is fixed at 0",
         .unset = "the first of two classes; none for more, except under the uniform prior"},
        &TrainOptions::reference);
  t.add({.name = "symmetric", .help = "one coefficient vector for every class, no reference"},
        &TrainOptions::symmetric);
}

void add_kernel(Builder& t) {
  t.group("Kernel");
  t.add({.name = "kernel",
         .value = "FAMILY",
         .help = "compare rows by a kernel instead of weighing their features: kernel logistic regression",
         .choices = {"none", "linear", "polynomial", "gaussian"}},
        &TrainOptions::kernel);
  t.add({.name = "kernel-degree",
         .value = "R",
         .help = "polynomial: (x·y + 1)^R",
         .bounds = between(1, 100),
         .unset = "2"},
        &TrainOptions::kernel_degree);
  t.add({.name = "kernel-width",
         .value = "S",
         .help = "gaussian: exp(-|x - y|²/(2 S²))",
         .bounds = between(1e-100, 1e100),
         .unset = "half the median distance of rows"},
        &TrainOptions::kernel_width);
  t.add({.name = "kernel-map",
         .value = "HOW",
         .help = "every row, some rows that stand for the others, or random waves (gaussian)",
         .choices = {"auto", "exact", "nystroem", "fourier"}},
        &TrainOptions::kernel_map);
  t.add({.name = "kernel-size",
         .value = "M",
         .help = "rows that nystroem keeps, or waves",
         .bounds = between(1, 1'000'000),
         .unset = "500"},
        &TrainOptions::kernel_size);
}

void add_training(Builder& t) {
  t.group("Training");
  t.add({.name = "optimizer",
         .value = "NAME",
         .help = "auto is the fastest way to the certified optimum",
         .choices = optimizer_names()},
        &TrainOptions::optimizer);
  t.add({.name = "gap",
         .value = "G",
         .help = "exact optimizers, the steps of --finish and saga stop when the certified relative gap is "
                 "at most G",
         .bounds = above(0)},
        &TrainOptions::gap);
  t.add(
      {.name = "max-passes",
       .value = "N",
       .help =
           "most passes over the data for exact optimizers, all evaluations but proofs counted; ends within "
           "two of it with the best coefficients so far",
       .bounds = at_least(1),
       .unset = "the optimizer's own limit"},
      &TrainOptions::max_passes);
  t.add({.name = "restarts", .value = "N", .help = "cauchy: further random starts, the best fit is kept"},
        &TrainOptions::restarts);
  t.add({.name = "memory", .value = "M", .help = "lbfgs: steps remembered", .bounds = between(1, 1000)},
        &TrainOptions::memory);
  t.add({.name = "broyden",
         .value = "PHI",
         .help = "bfgs: member of Broyden's family, from 0 (BFGS) to 1 (DFP)",
         .bounds = between(0, 1)},
        &TrainOptions::broyden);
  t.add({.name = "line-search",
         .value = "RULE",
         .help = "gd: how a step is found; none takes constant steps",
         .choices = {"wolfe", "backtracking", "none"}},
        &TrainOptions::line_search);
  t.add({.name = "step-size",
         .value = "S",
         .help = "gd with --line-search none: the constant step",
         .bounds = above(0),
         .unset = "one over a bound on the curvature"},
        &TrainOptions::step_size);
  t.add({.name = "momentum",
         .value = "M",
         .help = "gd, momentum: share of the last step that is repeated, from 0 to below 1",
         .bounds = between(0, 0.9999),
         .unset = "0 for gd, 0.9 for momentum"},
        &TrainOptions::momentum);
  t.add({.name = "seed", .value = "N", .help = "of everything random"}, &TrainOptions::seed);
  t.add({.name = "max-seconds",
         .value = "S",
         .help = "give the best model found within S seconds",
         .bounds = above(0),
         .unset = "no limit"},
        &TrainOptions::max_seconds);
  t.add({.name = "early-stopping",
         .value = "N",
         .help = "with --holdout: stop when the held-out loss has not fallen for N passes, and however the "
                 "fit ends "
                 "keep the best coefficients; 0 never stops",
         .unset = "5 in stochastic training, never in exact nor in the steps of --finish"},
        &TrainOptions::early_stopping);
  t.add({.name = "require-convergence", .help = "exit with code 4 when the asked precision was not reached"},
        &TrainOptions::require_convergence);
  t.add({.name = "posterior",
         .value = "KIND",
         .help = "keep an approximation of the posterior, or samples of it, in the model: standard errors, "
                 "intervals, evidence",
         .choices = posterior_names()},
        &TrainOptions::posterior);
  t.add({.name = "posterior-rank",
         .value = "R",
         .help = "directions kept by --posterior low-rank",
         .bounds = between(1, 1000)},
        &TrainOptions::posterior_rank);
  t.add({.name = "noise-variance",
         .value = "V|estimate",
         .help =
             "squared loss with --posterior: variance of the labels around the truth; estimate takes it from "
             "the residuals",
         .bounds = above(0),
         .unset = "estimate",
         .unset_word = "estimate"},
        &TrainOptions::noise_variance);
  t.add({.name = "samples",
         .value = "N",
         .help = "draws kept from each chain of --posterior samples",
         .bounds = between(10, 1'000'000)},
        &TrainOptions::samples);
  t.add({.name = "warmup",
         .value = "N",
         .help = "draws that each chain forgets first",
         .bounds = between(10, 1'000'000)},
        &TrainOptions::warmup);
  t.add({.name = "chains", .value = "N", .help = "independent chains", .bounds = between(1, 1000)},
        &TrainOptions::chains);
}

void add_stochastic(Builder& t) {
  t.group("Stochastic training");
  t.add({.name = "epochs",
         .value = "N",
         .help = "most passes over the data",
         .bounds = at_least(1),
         .unset = "20; 1000 or more for saga"},
        &TrainOptions::epochs);
  t.add({.name = "tolerance",
         .value = "E",
         .help = "stop when the relative difference of successive errors falls below E",
         .bounds = at_least(0)},
        &TrainOptions::tolerance);
  t.add({.name = "learning-rate",
         .value = "R|auto",
         .help = "first learning rate",
         .bounds = above(0),
         .unset = "auto: chosen on a sample",
         .unset_word = "auto"},
        &TrainOptions::learning_rate);
  t.add({.name = "schedule",
         .value = "NAME",
         .help = "how the learning rate falls; inverse is R/(1 + e/D), adaptive follows the error",
         .choices = schedule_names(),
         .unset = "inverse; constant for adagrad"},
        &TrainOptions::schedule);
  t.add({.name = "anneal",
         .value = "D",
         .help = "how slowly the learning rate falls",
         .bounds = above(0),
         .unset = "chosen by the schedule"},
        &TrainOptions::anneal);
  t.add({.name = "decay-per",
         .value = "UNIT",
         .help = "what the schedule counts",
         .choices = {"epoch", "example"}},
        &TrainOptions::decay_per);
  t.add({.name = "prior-step",
         .value = "STEP",
         .help = "what a stretch of skipped regularization amounts to: the exact flow, the discrete steps "
                 "one after "
                 "another, or one long step",
         .choices = {"flow", "compound", "linear"}},
        &TrainOptions::prior_step);
  t.add({.name = "dense-updates", .help = "regularize every coefficient at every example instead of lazily"},
        &TrainOptions::dense_updates);
  t.add({.name = "prior-every",
         .value = "N",
         .help = "regularize all coefficients every N examples instead of lazily",
         .bounds = at_least(1),
         .unset = "lazily"},
        &TrainOptions::prior_every);
  t.add({.name = "rho",
         .value = "R",
         .help = "adadelta, rmsprop: how slowly running means forget",
         .bounds = between(0, 0.999999),
         .unset = "0.95 for adadelta, 0.9 for rmsprop"},
        &TrainOptions::rho);
  t.add({.name = "beta1",
         .value = "B",
         .help = "adam, adamax: how slowly the mean of gradients forgets",
         .bounds = between(0, 0.999999),
         .unset = "0.9"},
        &TrainOptions::beta1);
  t.add({.name = "beta2",
         .value = "B",
         .help = "adam, adamax: how slowly the size of gradients is forgotten",
         .bounds = between(0, 0.999999),
         .unset = "0.999"},
        &TrainOptions::beta2);
  t.add({.name = "epsilon",
         .value = "E",
         .help = "adagrad, adadelta, rmsprop, adam, adamax: what keeps divisors above zero",
         .bounds = above(0),
         .unset = "1e-6 for adadelta, else 1e-8"},
        &TrainOptions::epsilon);
  t.add({.name = "beta",
         .value = "B",
         .help = "ftrl: holds the first steps back; rates are R/(B + root of summed squared gradients)",
         .bounds = above(0),
         .unset = "1"},
        &TrainOptions::beta);
  t.add({.name = "forget",
         .value = "F",
         .help = "adf: the part of what was learned that is kept from one example to the next; below 1 for "
                 "data that drifts",
         .bounds = between(0.5, 1)},
        &TrainOptions::forget);
  t.add({.name = "batch-size", .value = "B", .help = "examples per step", .bounds = at_least(1)},
        &TrainOptions::batch_size);
  t.add({.name = "shards",
         .value = "S",
         .help = "sgd: copies of the coefficients that learn their own part of the examples side by side and "
                 "are merged after each epoch; as many threads have work",
         .bounds = between(1, 1024)},
        &TrainOptions::shards);
  t.add({.name = "average", .help = "the model is the average of the iterates, weighted by their steps"},
        &TrainOptions::average);
  t.add({.name = "bounds",
         .value = "FILE",
         .help =
             "csv with bounds or signs of coefficients: feature,class,lower,upper; * is every one, an empty "
             "field no bound; docs/formats/bounds.md"},
        &TrainOptions::bounds);
  t.add({.name = "max-norm",
         .value = "R",
         .help = "sgd, momentum: keep the length of all coefficients but the intercept within R",
         .bounds = above(0),
         .unset = "no limit"},
        &TrainOptions::max_norm);
  t.add({.name = "finish",
         .value = "N",
         .help = "most exact steps, by newton or lbfgs, after the epochs; they begin at the best epoch where "
                 "held-out "
                 "rows are watched, and end at --gap"},
        &TrainOptions::finish);
  t.add({.name = "no-shuffle", .help = "take the examples in the order of the data", .negated = true},
        &TrainOptions::shuffle);
}

}  // namespace

const config::Table<TrainOptions>& train_fields() {
  static const config::Table<TrainOptions> table = [] {
    Builder t;
    add_model(t);
    add_kernel(t);
    add_training(t);
    add_stochastic(t);
    return std::move(t).build();
  }();
  return table;
}

}  // namespace lazylogit::train
