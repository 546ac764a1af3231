// The one number of a prior that tuning varies, and the path of its values from the empty model to the full one.
//
// A prior of strength f is f times as strong as the one the options describe: gaussian variance/f, laplace variance/f²
// (its slope is √(2/variance)), cauchy scale/√f, elastic net f·l1 and f·l2. The path is geometric and goes from strong
// to weak:
//   with a kink   from the smallest f that leaves every coefficient at its mean, max_i |g_i|/l_i (g the derivatives of
//                 the error of the model with the intercept alone, l the slopes), down to 1e-4 of it;
//   without       from the f at which no coefficient moves a score by more than about a thousandth,
//                 1000 max_i |g_i| σ_i/κ_i (σ the features' deviations, κ the prior's curvatures), down to 1e-7 of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// The option that tuning sets: "variance", "scale", or "l1" (l2 goes along). Throws ConfigError for the uniform prior,
// which has nothing to tune.
std::string tuned_option(const TrainOptions& options);

// The options with the prior of that strength; the tuned number of such options; and the strength of a number.
TrainOptions with_strength(const TrainOptions& options, double strength);
double tuned_value(const TrainOptions& options);
double strength_of(const TrainOptions& options, double value);

// `count` ≥ 2 strengths, strongest first. `prepared` is of `options`.
std::vector<double> strength_path(const Prepared& prepared, std::span<const double> deviations,
                                  std::size_t count);

}  // namespace lazylogit::train
