#include "lazylogit/train/prior_setup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/nearest.hpp"

namespace lazylogit::train {
namespace {

// A family: which options belong to it, and how they make a prior.
struct Family {
  std::string_view name;
  bool variance, scale, strengths;
  prior::AnyPrior (*make)(const TrainOptions& options);
};

const Family families[] = {
    {"uniform", false, false, false, [](const TrainOptions&) -> prior::AnyPrior { return prior::Uniform{}; }},
    {"gaussian", true, false, false,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::Gaussian::from_variance(o.variance.value_or(1));
     }},
    {"laplace", true, false, false,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::Laplace::from_variance(o.variance.value_or(1));
     }},
    {"cauchy", false, true, false,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::Cauchy::from_scale(o.scale.value_or(2.5));
     }},
    {"elastic-net", false, false, true,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::ElasticNet{o.l1.value_or(1), o.l2.value_or(1)};
     }},
};

const Family& find_family(const std::string& name) {
  std::vector<std::string> names;
  for (const Family& family : families) {
    if (family.name == name) return family;
    names.emplace_back(family.name);
  }
  throw ConfigError("there is no prior " + quote_text(name), "prior",
                    fmt::format("known are {}", fmt::join(names, ", ")));
}

void check_parameter(const Family& family, const std::optional<double>& value, const char* option,
                     bool belongs, bool zero_allowed, const char* owner) {
  if (!value) return;
  if (!belongs)
    throw ConfigError(fmt::format("the {} prior has no {}; it belongs to {}", family.name, option, owner),
                      option);
  if (std::isnan(*value) || *value < 0 || (*value == 0 && !zero_allowed))
    throw ConfigError(fmt::format("{} is not {}", *value, zero_allowed ? "zero or positive" : "positive"),
                      option);
}

std::string number(double x) { return std::isinf(x) ? "\"inf\"" : fmt::format("{}", x); }

}  // namespace

prior::AnyPrior make_prior(const TrainOptions& options) {
  const Family& family = find_family(options.prior);
  check_parameter(family, options.variance, "variance", family.variance, false, "gaussian and laplace");
  check_parameter(family, options.scale, "scale", family.scale, false, "cauchy");
  check_parameter(family, options.l1, "l1", family.strengths, true, "elastic-net");
  check_parameter(family, options.l2, "l2", family.strengths, true, "elastic-net");
  if (options.l1 && std::isinf(*options.l1)) throw ConfigError("inf is not finite", "l1");
  if (options.l2 && std::isinf(*options.l2)) throw ConfigError("inf is not finite", "l2");
  return family.make(options);
}

std::string prior_json(const prior::AnyPrior& prior) {
  return std::visit(
      []<class P>(const P& p) -> std::string {
        if constexpr (std::is_same_v<P, prior::Gaussian>)
          return fmt::format("{{\"family\":\"gaussian\",\"variance\":{}}}", number(1 / p.precision));
        else if constexpr (std::is_same_v<P, prior::Laplace>)
          return fmt::format("{{\"family\":\"laplace\",\"variance\":{}}}", number(2 / (p.l1 * p.l1)));
        else if constexpr (std::is_same_v<P, prior::Cauchy>)
          return fmt::format("{{\"family\":\"cauchy\",\"scale\":{}}}",
                             number(1 / std::sqrt(p.inverse_square)));
        else if constexpr (std::is_same_v<P, prior::ElasticNet>)
          return fmt::format("{{\"family\":\"elastic-net\",\"l1\":{},\"l2\":{}}}", number(p.l1),
                             number(p.l2));
        else
          return "{\"family\":\"uniform\"}";
      },
      prior);
}

}  // namespace lazylogit::train
