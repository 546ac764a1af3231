#include "lazylogit/train/prior_setup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/prior_covariance.hpp"

namespace lazylogit::train {
namespace {

// A family: which options belong to it, and how they make a prior.
struct FamilyOptions {
  std::string_view name;
  bool variance, scale, strengths;
  prior::AnyPrior (*make)(const TrainOptions& options);
};

const FamilyOptions family_options[] = {
    {"uniform", false, false, false, [](const TrainOptions&) -> prior::AnyPrior { return prior::Uniform{}; }},
    {"gaussian", true, false, false,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::Gaussian::from_variance(o.variance.value_or(default_variance));
     }},
    {"laplace", true, false, false,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::Laplace::from_variance(o.variance.value_or(default_variance));
     }},
    {"cauchy", false, true, false,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::Cauchy::from_scale(o.scale.value_or(default_scale));
     }},
    {"elastic-net", false, false, true,
     [](const TrainOptions& o) -> prior::AnyPrior {
       return prior::ElasticNet{o.l1.value_or(default_l1), o.l2.value_or(default_l2)};
     }},
};

const FamilyOptions& find_family(const std::string& name) {
  std::vector<std::string> names;
  for (const FamilyOptions& family : family_options) {
    if (family.name == name) return family;
    names.emplace_back(family.name);
  }
  throw ConfigError("there is no prior " + quote_text(name), "prior",
                    fmt::format("known are {}", fmt::join(names, ", ")));
}

void check_parameter(const FamilyOptions& family, const std::optional<double>& value, const char* option,
                     bool belongs, bool zero_allowed, const char* owner) {
  if (!value) return;
  if (!belongs)
    throw ConfigError(fmt::format("the {} prior has no {}; it belongs to {}", family.name, option, owner),
                      option);
  if (std::isnan(*value) || *value < 0 || (*value == 0 && !zero_allowed))
    throw ConfigError(fmt::format("{} is not {}", *value, zero_allowed ? "zero or positive" : "positive"),
                      option);
}

}  // namespace

prior::AnyPrior make_prior(const TrainOptions& options) {
  const FamilyOptions& family = find_family(options.prior);
  check_parameter(family, options.variance, "variance", family.variance, false, "gaussian and laplace");
  check_parameter(family, options.scale, "scale", family.scale, false, "cauchy");
  check_parameter(family, options.l1, "l1", family.strengths, true, "elastic-net");
  check_parameter(family, options.l2, "l2", family.strengths, true, "elastic-net");
  if (options.l1 && std::isinf(*options.l1)) throw ConfigError("inf is not finite", "l1");
  if (options.l2 && std::isinf(*options.l2)) throw ConfigError("inf is not finite", "l2");
  const prior::AnyPrior prior = family.make(options);
  if (!is_finite(prior)) {
    const char* option = family.scale ? "scale" : "variance";
    throw ConfigError(fmt::format("{} is too small", family.scale ? *options.scale : *options.variance),
                      option);
  }
  return prior;
}

bool is_finite(const prior::AnyPrior& prior) {
  return std::visit(
      []<class P>(const P& p) {
        if constexpr (std::is_same_v<P, prior::Gaussian>) return std::isfinite(p.precision);
        if constexpr (std::is_same_v<P, prior::Laplace>) return std::isfinite(p.l1);
        if constexpr (std::is_same_v<P, prior::Cauchy>) return std::isfinite(p.inverse_square);
        if constexpr (std::is_same_v<P, prior::ElasticNet>) return std::isfinite(p.l1) && std::isfinite(p.l2);
        return true;
      },
      prior);
}

void scale_by_strength(std::span<const double> strengths, const model::Shape& shape,
                       prior::PriorTable& table) {
  table.make_per_coordinate();
  for (std::size_t i = 0; i < strengths.size(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const std::size_t at = shape.index(i, v);
      prior::AnyPrior prior = table.at(at);
      std::visit(
          [&]<class P>(P& p) {
            if constexpr (std::is_same_v<P, prior::Gaussian>) p.precision *= strengths[i];
            if constexpr (std::is_same_v<P, prior::Laplace>) p.l1 *= strengths[i];
            if constexpr (std::is_same_v<P, prior::Cauchy>) p.inverse_square *= strengths[i];
            if constexpr (std::is_same_v<P, prior::ElasticNet>) p.l1 *= strengths[i], p.l2 *= strengths[i];
          },
          prior);
      table.set(at, prior, table.mean(at), table.pinned(at));
    }
}

void scale_by_deviation(std::span<const double> deviations, const model::Shape& shape,
                        prior::PriorTable& table) {
  table.make_per_coordinate();
  for (std::size_t i = 0; i < shape.num_features; ++i) {
    const double sigma = deviations[i];
    if (sigma == 0) continue;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const std::size_t at = shape.index(i, v);
      prior::AnyPrior prior = table.at(at);
      std::visit(
          [&]<class P>(P& p) {
            if constexpr (std::is_same_v<P, prior::Gaussian>) p.precision *= sigma * sigma;
            if constexpr (std::is_same_v<P, prior::Laplace>) p.l1 *= sigma;
            if constexpr (std::is_same_v<P, prior::Cauchy>) p.inverse_square *= sigma * sigma;
            if constexpr (std::is_same_v<P, prior::ElasticNet>) p.l1 *= sigma, p.l2 *= sigma * sigma;
          },
          prior);
      table.set(at, prior, table.mean(at) / sigma, table.pinned(at));
    }
  }
  if (table.coupling() != nullptr) scale_coupling(deviations, shape, table);
}

}  // namespace lazylogit::train
