// What a user can say about the model and its training. The field table (names, bounds, help) is in
// train_options.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/config/field.hpp"

namespace lazylogit::train {

struct TrainOptions {
  // Model
  std::string loss = "logistic";  // logistic | squared
  bool multilabel = false;
  std::string prior = "gaussian";  // a family of prior::AnyPrior
  std::optional<double> variance;  // gaussian, laplace; nothing: default_variance
  std::optional<double> scale;     // cauchy; nothing: default_scale
  std::optional<double> l1, l2;    // elastic-net
  std::string prior_file;
  std::string prior_covariance;  // a file name
  std::vector<double>
      row_strengths;  // not an option, found by tune: how many times as strong as said here the prior
                      // is of each feature, and then the intercept; empty: 1
  bool scale_prior = false;
  std::string class_weights;  // "", "balanced" or a file name
  bool intercept = true;      // --no-intercept
  bool prior_intercept = false;
  std::string reference;  // a label
  bool symmetric = false;
  std::string standardize = "none";  // none | scale | center
  std::string kernel = "none";       // none or a name of data::KernelFamily
  std::string kernel_map = "auto";   // auto | exact | nystroem | fourier
  std::optional<std::uint64_t> kernel_size, kernel_degree;
  std::optional<double> kernel_width;

  // Training
  std::string optimizer = "auto";
  double gap = 1e-6;
  std::optional<std::uint64_t> max_passes;  // exact optimizers; default chosen by the optimizer
  std::uint64_t restarts = 0;               // extra random starts (Cauchy)
  std::string line_search = "wolfe";        // gd: wolfe | backtracking | none
  std::optional<double> step_size;          // gd without line search
  std::optional<double> momentum;           // gd, momentum
  std::optional<double> rho;                // adadelta, rmsprop
  std::optional<double> beta1, beta2;       // adam, adamax
  std::optional<double> beta;               // ftrl
  std::optional<double> epsilon;            // adagrad, adadelta, rmsprop, adam, adamax
  double broyden = 0;                       // bfgs
  std::uint64_t memory = 10;                // lbfgs
  std::string prior_step = "flow";          // flow | compound | linear
  bool dense_updates = false;
  std::optional<std::uint64_t> prior_every;
  std::optional<std::uint64_t> epochs;  // nothing: the optimizer's own number
  double tolerance = 1e-5;
  std::optional<double> learning_rate;  // nothing: auto
  std::string schedule;                 // a name of optim::schedules; empty: the optimizer's own
  std::optional<double> anneal;
  std::string decay_per = "epoch";  // epoch | example
  std::uint64_t batch_size = 1;
  std::uint64_t shards = 1;
  bool average = false;
  std::string bounds;  // a file name
  std::optional<double> max_norm;
  std::uint64_t finish = 0;  // exact steps after the epochs
  bool shuffle = true;
  double forget = 1;  // adf
  std::uint64_t seed = 1;
  std::optional<double> max_seconds;
  std::optional<std::uint64_t> early_stopping;  // passes without a lower held-out loss; 0: never
  bool require_convergence = false;
  std::string posterior = "none";                          // none or a name of model::PosteriorKind
  std::uint64_t posterior_rank = 50;                       // low-rank
  std::optional<double> noise_variance;                    // squared loss; nothing: estimated
  std::uint64_t chains = 4, samples = 1000, warmup = 500;  // samples
};

inline constexpr double default_variance = 1;
inline constexpr double default_scale = 2.5;
inline constexpr double default_l1 = 1, default_l2 = 1;

// Groups "Model", "Training" and "Stochastic training".
const config::Table<TrainOptions>& train_fields();

}  // namespace lazylogit::train
