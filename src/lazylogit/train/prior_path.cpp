#include "lazylogit/train/prior_path.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/train/start.hpp"

namespace lazylogit::train {
namespace {

// How the number of a family depends on the strength: number = number at strength 1 · strength^power.
struct Tuned {
  std::string_view family, option;
  double power;
  std::optional<double> TrainOptions::*number;
  double standard;
};
constexpr Tuned tuned[] = {
    {"gaussian", "variance", -1, &TrainOptions::variance, default_variance},
    {"laplace", "variance", -2, &TrainOptions::variance, default_variance},
    {"cauchy", "scale", -0.5, &TrainOptions::scale, default_scale},
    {"elastic-net", "l1", 1, &TrainOptions::l1, default_l1},
};

const Tuned& tuned_of(const TrainOptions& options) {
  for (const Tuned& entry : tuned)
    if (entry.family == options.prior) return entry;
  throw ConfigError("the " + options.prior + " prior has no number to tune", "prior",
                    "use gaussian, laplace, cauchy or elastic-net");
}

constexpr double kinked_range = 1e-4, smooth_range = 1e-7, empty_effect = 1000;

}  // namespace

std::string tuned_option(const TrainOptions& options) { return std::string(tuned_of(options).option); }

TrainOptions with_strength(const TrainOptions& options, double strength) {
  const Tuned& entry = tuned_of(options);
  TrainOptions result = options;
  result.*entry.number = (options.*entry.number).value_or(entry.standard) * std::pow(strength, entry.power);
  if (options.prior == "elastic-net") result.l2 = options.l2.value_or(default_l2) * strength;
  return result;
}

double tuned_value(const TrainOptions& options) {
  const Tuned& entry = tuned_of(options);
  return (options.*entry.number).value_or(entry.standard);
}

double strength_of(const TrainOptions& options, double value) {
  const Tuned& entry = tuned_of(options);
  return std::pow(value / (options.*entry.number).value_or(entry.standard), 1 / entry.power);
}

std::vector<double> strength_path(const Prepared& prepared, std::span<const double> deviations,
                                  std::size_t count) {
  const objective::Problem problem = prepared.problem();
  objective::Posterior posterior(problem);
  const math::Vector empty = default_start(prepared);
  math::Vector gradient(empty.size());
  posterior.value_and_gradient(empty, gradient);
  const model::Shape& shape = prepared.shape;
  const auto slopes = posterior.slopes();
  double kinked = 0, smooth = 0;
  for (std::size_t i = 0; i < shape.num_features; ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const std::size_t at = shape.index(i, v);
      if (prepared.prior.pinned(at)) continue;
      const double g = std::abs(gradient[at]);
      const double slope = slopes.empty() ? 0 : slopes[at];
      const double curvature =
          std::visit([](const auto& p) { return p.curvature(0); }, prepared.prior.at(at));
      if (slope > 0) kinked = std::max(kinked, g / slope);
      if (curvature > 0) smooth = std::max(smooth, empty_effect * g * deviations[i] / curvature);
    }
  const bool has_kink = kinked > 0;
  const double strongest = has_kink ? kinked : smooth > 0 ? smooth : 1;
  const double range = has_kink ? kinked_range : smooth_range;
  std::vector<double> path(count);
  for (std::size_t k = 0; k < count; ++k)
    path[k] = strongest * std::pow(range, static_cast<double>(k) / static_cast<double>(count - 1));
  return path;
}

}  // namespace lazylogit::train
