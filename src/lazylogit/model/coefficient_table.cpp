#include "lazylogit/model/coefficient_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/math/normal_quantile.hpp"

namespace lazylogit::model {
namespace {

std::string header() {
  return fmt::format("  {:>12}{:>12}{:>9}{:>12}{:>12}{:>12}\n", "coefficient", "std. error", "z", "2.5 %",
                     "97.5 %", "odds ratio");
}

std::string line(const Model& model, std::size_t coordinate, const std::string& name) {
  const double b = model.coefficients[coordinate];
  if (!model.posterior) return fmt::format("  {:>12.5g}  {}\n", b, name);
  const auto error = standard_error(model, coordinate);
  if (!error)
    return fmt::format("  {:>12.5g}{:>12}{:>9}{:>12}{:>12}{:>12.5g}  {}\n", b, "-", "-", "-", "-",
                       std::exp(b), name);
  const double reach = math::normal_quantile(0.975) * *error;
  return fmt::format("  {:>12.5g}{:>12.5g}{:>9.3f}{:>12.5g}{:>12.5g}{:>12.5g}  {}\n", b, *error, b / *error,
                     b - reach, b + reach, std::exp(b), name);
}

}  // namespace

std::optional<double> standard_error(const Model& model, std::size_t coordinate) {
  const double variance = model.posterior->variance[coordinate];
  if (variance > 0) return std::sqrt(variance);
  return std::nullopt;
}

std::string coefficient_table(const Model& model, std::size_t vector, std::size_t top) {
  const Shape& shape = model.shape;
  const auto value = [&](std::size_t f) { return model.coefficients[shape.index(f, vector)]; };
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < shape.num_features; ++f)
    if (value(f) != 0) order.push_back(f);
  const std::size_t shown = std::min(top, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      const double x = std::fabs(value(a)), y = std::fabs(value(b));
                      return x != y ? x > y : a < b;
                    });
  std::string text =
      fmt::format("\n{}{}\n", printable(model.classes.label(shape.class_of(vector))),
                  shape.reference ? " against " + printable(model.classes.label(*shape.reference)) : "");
  if (model.posterior) text += header();
  for (std::size_t i = 0; i < shown; ++i)
    text += line(model, shape.index(order[i], vector), printable(model.feature_name(order[i])));
  if (order.size() > shown) text += fmt::format("  {:>12}  {} more\n", "", order.size() - shown);
  if (shape.has_intercept) text += line(model, shape.intercept_index(vector), intercept_name);
  return text;
}

std::string describe_posterior(const PosteriorApproximation& posterior) {
  std::string text = posterior_kind_name(posterior.kind);
  if (posterior.rank > 0) text += fmt::format(" (rank {})", posterior.rank);
  if (posterior.log_evidence) {
    text += fmt::format(": log evidence {:.6g}", *posterior.log_evidence);
    if (posterior.log_evidence_error > 0) text += fmt::format(" ± {:.2g}", posterior.log_evidence_error);
  } else {
    text += ": no evidence (the prior has no normalising constant)";
  }
  return text + fmt::format(", BIC {:.6g}, AIC {:.6g}, {:.4g} effective parameters of {:.0f}", posterior.bic,
                            posterior.aic, posterior.effective_parameters, posterior.num_parameters);
}

}  // namespace lazylogit::model
