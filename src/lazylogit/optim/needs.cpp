#include "lazylogit/optim/needs.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "lazylogit/optim/batch/bfgs.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::optim {
namespace {

using Missing = std::optional<std::string>;

Missing lacks_separable_prior(const Conditions& c) {
  return c.prior.coupling() == nullptr ? Missing() : "a prior covariance ties them together";
}
Missing lacks_smooth_prior(const Conditions& c) {
  return !has_kink(c.prior) ? Missing() : fmt::format("\"{}\" has a kink at its mean", c.prior.family());
}
Missing lacks_convex_prior(const Conditions& c) {
  return c.prior.convex() ? Missing() : fmt::format("\"{}\" is not", c.prior.family());
}
Missing lacks_few_coefficients(const Conditions& c) {
  return c.prior.size() <= most_bfgs_coefficients ? Missing()
                                                  : fmt::format("this model has {}", c.prior.size());
}
Missing lacks_own_columns(const Conditions& c) {
  return !c.centered ? Missing()
                     : "without a free intercept --standardize center fills columns, scale does not";
}

std::vector<std::string_view> others(const OptimizerEntry& refused, const Conditions& conditions,
                                     bool same_kind) {
  std::vector<std::string_view> names;
  for (const OptimizerEntry& entry : optimizers())
    if ((!same_kind || entry.stochastic == refused.stochastic) && !entry.lacks(conditions))
      names.push_back(entry.name);
  return names;
}

}  // namespace

std::string one_of(std::vector<std::string_view> names) {
  if (names.size() < 2) return names.empty() ? std::string() : std::string(names.front());
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

bool has_kink(const prior::PriorTable& prior) {
  return prior.visit([&](const auto& view) {
    for (std::size_t i = 0; i < prior.size(); ++i)
      if (view.penalized(i) && view.at(i).slope() > 0) return true;
    return false;
  });
}

std::span<const NeedEntry> all_needs() {
  static const std::array list{
      NeedEntry{Need::separable_prior, "a prior of each coefficient by itself", lacks_separable_prior},
      NeedEntry{Need::smooth_prior, "a smooth prior", lacks_smooth_prior},
      NeedEntry{Need::convex_prior, "a convex prior", lacks_convex_prior},
      NeedEntry{Need::few_coefficients,
                fmt::format("at most {} coefficients, for a matrix of their square", most_bfgs_coefficients),
                lacks_few_coefficients},
      NeedEntry{Need::own_columns, "columns that are not centered", lacks_own_columns}};
  return list;
}

const NeedEntry* OptimizerEntry::lacks(const Conditions& conditions) const {
  for (const NeedEntry& entry : all_needs())
    if (needs.has(entry.need) && entry.missing(conditions)) return &entry;
  return nullptr;
}

std::optional<std::string> OptimizerEntry::refuses(const Conditions& conditions) const {
  const NeedEntry* const need = lacks(conditions);
  if (need == nullptr) return std::nullopt;
  std::vector<std::string_view> instead = others(*this, conditions, true);
  if (instead.empty()) instead = others(*this, conditions, false);
  const std::string sentence =
      fmt::format("optimizer \"{}\" needs {}; {}", name, need->what, *need->missing(conditions));
  return instead.empty() ? sentence : sentence + ". Use " + one_of(std::move(instead));
}

}  // namespace lazylogit::optim
