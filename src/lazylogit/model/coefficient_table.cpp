#include "lazylogit/model/coefficient_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/math/normal_quantile.hpp"

namespace lazylogit::model {
namespace {

std::string header(const Model& model) {
  const PosteriorApproximation& posterior = *model.posterior;
  const bool number = model.shape.response == data::Response::number;  // which has no odds
  const std::string first = has_mean(posterior.kind)
                                ? fmt::format("  {:>12}{:>12}{:>12}", "coefficient", "mean", "std. error")
                                : fmt::format("  {:>12}{:>12}{:>9}", "coefficient", "std. error", "z");
  return first + fmt::format("{:>12}{:>12}{}{}\n", "2.5 %", "97.5 %", number ? "" : "  odds ratio",
                             posterior.kind == PosteriorKind::samples ? "   R-hat     ESS" : "");
}

std::string line(const Model& model, std::size_t coordinate, const std::string& name) {
  const double b = model.coefficients[coordinate];
  if (!model.posterior) return fmt::format("  {:>12.5g}  {}\n", b, name);
  const PosteriorApproximation& posterior = *model.posterior;
  const auto error = standard_error(model, coordinate);
  const auto number = [&](double value) {
    return error ? fmt::format("{:>12.5g}", value) : fmt::format("{:>12}", "-");
  };
  std::string text = fmt::format("  {:>12.5g}", b);
  if (has_mean(posterior.kind))
    text += number(posterior.mean[coordinate]) + number(error.value_or(0));
  else
    text +=
        number(error.value_or(0)) + (error ? fmt::format("{:>9.3f}", b / *error) : fmt::format("{:>9}", "-"));
  const Interval interval = credible_interval(model, coordinate, 0.95);
  text += number(interval.lower) + number(interval.upper);
  if (model.shape.response != data::Response::number) text += fmt::format("{:>12.5g}", std::exp(b));
  if (posterior.kind == PosteriorKind::samples) {
    const ChainDiagnostics chains = diagnose(posterior, coordinate);
    text += error ? fmt::format("{:>8.3f}{:>8.0f}", chains.rhat, chains.ess)
                  : fmt::format("{:>8}{:>8}", "-", "-");
  }
  return text + "  " + name + "\n";
}

// The α-quantile of sorted values, linear between neighbours.
double quantile(const std::vector<float>& sorted, double alpha) {
  const double place = alpha * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double low = static_cast<double>(sorted[below]);
  if (below + 1 >= sorted.size()) return low;
  return low + (place - static_cast<double>(below)) * (static_cast<double>(sorted[below + 1]) - low);
}

std::span<const float> samples_of(const PosteriorApproximation& posterior, std::size_t coordinate) {
  const std::size_t draws = posterior.sampling.num_draws();
  return {posterior.samples.data() + coordinate * draws, draws};
}

}  // namespace

std::optional<double> standard_error(const Model& model, std::size_t coordinate) {
  const double variance = model.posterior->variance[coordinate];
  if (variance > 0) return std::sqrt(variance);
  return std::nullopt;
}

Interval credible_interval(const Model& model, std::size_t coordinate, double level) {
  const PosteriorApproximation& posterior = *model.posterior;
  if (posterior.kind == PosteriorKind::samples) {
    const auto own = samples_of(posterior, coordinate);
    std::vector<float> sorted(own.begin(), own.end());
    std::sort(sorted.begin(), sorted.end());
    return {quantile(sorted, 0.5 - 0.5 * level), quantile(sorted, 0.5 + 0.5 * level)};
  }
  const double center =
      has_mean(posterior.kind) ? posterior.mean[coordinate] : model.coefficients[coordinate];
  const double reach = math::normal_quantile(0.5 + 0.5 * level) * std::sqrt(posterior.variance[coordinate]);
  return {center - reach, center + reach};
}

ChainDiagnostics diagnose(const PosteriorApproximation& posterior, std::size_t coordinate) {
  return diagnose_chains(samples_of(posterior, coordinate), posterior.sampling.chains);
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
  if (model.posterior) text += header(model);
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
    const bool bound = posterior.kind == PosteriorKind::variational;
    text += fmt::format(": log evidence {}{:.6g}", bound ? "at least " : "", *posterior.log_evidence);
    if (posterior.log_evidence_error > 0) text += fmt::format(" ± {:.2g}", posterior.log_evidence_error);
  } else {
    text += posterior.kind == PosteriorKind::samples
                ? ": no evidence"
                : ": no evidence (the prior has no normalising constant)";
  }
  if (std::isfinite(posterior.bic))  // an online belief has none
    text += fmt::format(", BIC {:.6g}, AIC {:.6g}, {:.4g} effective parameters of {:.0f}", posterior.bic,
                        posterior.aic, posterior.effective_parameters, posterior.num_parameters);
  if (posterior.noise_variance > 0) text += fmt::format(", noise variance {:.6g}", posterior.noise_variance);
  const Sampling& sampling = posterior.sampling;
  if (posterior.kind == PosteriorKind::samples)
    text += fmt::format(
        "\n{:<14}{} chains of {} draws ({}): worst R-hat {:.4g}, smallest effective sample size {:.0f}{}", "",
        sampling.chains, sampling.per_chain, sampling.method, sampling.worst_rhat, sampling.smallest_ess,
        sampling.diverged > 0 ? fmt::format(", {} trajectories diverged", sampling.diverged) : "");
  return text;
}

}  // namespace lazylogit::model
