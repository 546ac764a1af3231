#include "lazylogit/objective/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lazylogit/math/kink.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/dual_gap.hpp"
#include "lazylogit/objective/fenchel_young.hpp"
#include "lazylogit/objective/newton_bound.hpp"
#include "lazylogit/objective/score_rounding.hpp"
#include "lazylogit/objective/shifted_columns.hpp"

namespace lazylogit::objective {
namespace {

std::string feature_name(const CertificateNames& names, const model::Shape& shape, std::size_t feature) {
  if (feature == shape.num_features) return model::intercept_name;
  if (names.features == nullptr || names.features->empty()) return "#" + std::to_string(feature);
  return std::string(names.features->name(static_cast<FeatureId>(feature)));
}

// Whether numbers are fitted to some hundreds of their last bits.
bool is_rounding(const Problem& problem, double error) {
  if (problem.shape.response != data::Response::number) return false;
  constexpr double last_bits = 1e-13;
  double squares = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j)
    squares += problem.weight(j) * problem.targets[j] * problem.targets[j];
  return error <= 0.5 * last_bits * last_bits * squares;
}

}  // namespace

model::Certificate certify(Posterior& objective, std::span<const double> b, const CertificateNames& names,
                           const std::optional<LikelihoodAt>& known) {
  const Problem& problem = objective.problem();
  const model::Shape& shape = problem.shape;
  const auto slopes = objective.slopes();
  const auto kinks = objective.kinks();
  model::Certificate certificate;
  math::Vector own(known ? 0 : b.size());
  const double loss = known ? known->loss : objective.likelihood_gradient(b, own);
  const std::span<const double> gradient = known ? known->gradient : own;
  const bool with_prior = known && known->with_prior;
  certificate.error = loss + problem.prior->penalty(b.data());

  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  // The subgradient of least size, coordinate by coordinate: how far each expectation constraint is missed.
  std::size_t worst = 0;
  math::Vector subgradient(b.size() <= newton_bound_limit ? b.size() : 0, 0.0), coupled;
  if (const prior::Coupling* coupling = problem.prior->coupling()) {
    coupled.assign(b.size(), 0.0);
    coupling->add_product(problem.prior->shifted(b.data()), coupled);
  }
  problem.prior->visit([&](const auto& view) {
    for (std::size_t row = 0; row < b.size(); row += stride)
      for (std::size_t i = row; i < row + vectors; ++i) {
        if (view.pinned(i)) continue;
        const double t = b[i] - view.mean(i);
        double g = (with_prior ? without_smooth_part(view, b, gradient, i) : gradient[i]) +
                   (view.penalized(i) ? view.at(i).gradient(t) : 0.0) +  // 0 at a kink
                   (coupled.empty() ? 0.0 : coupled[i]);
        const double l = slopes.empty() ? 0.0 : slopes[i];
        if (l > 0 && b[i] == (kinks.empty() ? 0.0 : kinks[i]))
          g = math::sign(g) * std::max(0.0, std::abs(g) - l);
        if (!subgradient.empty()) subgradient[i] = g;
        if (std::abs(g) > certificate.worst_violation) certificate.worst_violation = std::abs(g), worst = i;
      }
  });
  certificate.gradient_norm = certificate.worst_violation;
  certificate.worst_feature = feature_name(names, shape, worst / shape.stride());
  const ClassId c = shape.class_of(std::min(worst % shape.stride(), shape.num_vectors() - 1));
  certificate.worst_class = names.classes != nullptr ? names.classes->label(c) : std::to_string(c);

  // An error that is all rounding, of numbers that are fitted exactly, cannot be told from 0.
  const bool exact = is_rounding(problem, certificate.error);
  // Neither part of the error is negative, so 0 is a lower bound too: the relative gap is at most 1.
  const auto take = [&](GapBound bound, model::CertificateKind kind) {
    const double scores = score_rounding(problem, b);
    bound.rounding += scores;
    const double with_scores = bound.gap + scores;
    const double gap = with_scores < certificate.error ? with_scores : certificate.error;
    certificate.kind = kind;
    certificate.lower_bound = certificate.error - gap;
    const bool nothing_left =
        exact || (problem.shape.response == data::Response::number && certificate.error <= bound.rounding);
    certificate.relative_gap = certificate.error > 0 && !nothing_left ? gap / certificate.error : 0.0;
    certificate.rounding = bound.rounding;
  };
  if (const auto dual = dual_gap(objective, b, gradient, certificate.error, with_prior))
    take(*dual, model::CertificateKind::duality_gap);
  else if (const auto newton = newton_bound(objective, b, subgradient, certificate.error))
    take(*newton, model::CertificateKind::newton_decrement);
  else if (!objective.convex() && certificate.gradient_norm <= 1e-3 * std::max(1.0, certificate.error))
    certificate.min_curvature = smallest_curvature(objective, b);
  return certificate;
}

model::Certificate certify(const Problem& problem, std::span<const double> b, const CertificateNames& names) {
  if (const auto shifted = ShiftedColumns::of(problem)) {
    model::Certificate certificate = certify(shifted->problem(), shifted->shifted(b), names);
    if (certificate.relative_gap) {  // the intercepts are rounded as scores are
      const double rounding = score_rounding(problem, b);
      certificate.rounding += rounding;
      *certificate.lower_bound = std::max(0.0, *certificate.lower_bound - rounding);
      if (certificate.error > 0)
        *certificate.relative_gap = std::min(1.0, *certificate.relative_gap + rounding / certificate.error);
    }
    return certificate;
  }
  Posterior objective(problem);
  return certify(objective, b, names);
}

bool satisfies(const model::Certificate& certificate, double gap) {
  if (certificate.relative_gap) return *certificate.relative_gap <= gap;
  return certificate.gradient_norm <= gap * std::max(1.0, std::abs(certificate.error)) &&
         (!certificate.min_curvature || *certificate.min_curvature >= 0);
}

double coordinate_gain(Posterior& objective, std::span<const double> b, std::span<const double> subgradient) {
  math::Vector diagonal(b.size());
  objective.set_curvature_point(b);
  objective.hessian_diagonal(diagonal);
  double gain = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (subgradient[i] != 0)
      gain =
          std::max(gain, diagonal[i] > 0 ? 0.5 * subgradient[i] * (subgradient[i] / diagonal[i]) : HUGE_VAL);
  return gain;
}

bool shows_optimum(const Problem& problem, std::span<const double> b, const model::Certificate& certificate,
                   double gap) {
  if (!satisfies(certificate, gap) || certificate.relative_gap) return satisfies(certificate, gap);
  if (const auto shifted = ShiftedColumns::of(problem))
    return shows_optimum(shifted->problem(), shifted->shifted(b), certificate, gap);
  Posterior objective(problem);
  math::Vector g(b.size());
  objective.value_and_gradient(b, g);
  const auto slopes = objective.slopes(), kinks = objective.kinks();
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double side = math::sign(b[i] - (kinks.empty() ? 0.0 : kinks[i]));
    g[i] = side != 0 ? g[i] + side * slopes[i] : math::sign(g[i]) * std::max(0.0, std::abs(g[i]) - slopes[i]);
  }
  return coordinate_gain(objective, b, g) <= gap * std::max(1.0, std::abs(certificate.error));
}

double estimate_gap(const Objective& objective, const prior::PriorTable& prior, std::span<const double> b,
                    std::span<const double> gradient, std::span<const double> pseudo_gradient, double error) {
  const auto slopes = objective.slopes();
  const prior::Coupling* coupling = prior.coupling();
  std::vector<bool> coupled(coupling != nullptr ? b.size() : 0, false);
  if (coupling != nullptr)
    for (const std::size_t i : coupling->coordinates()) coupled[i] = true;
  return prior.visit([&](const auto& view) {
    double gap = coupling != nullptr ? coupling->dual_value(pseudo_gradient) : 0, tau = 1, l1 = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (coupling != nullptr && coupled[i]) continue;
      const double t = b[i] - view.mean(i), g = pseudo_gradient[i];
      const double curvature = view.penalized(i) ? view.at(i).curvature(t) : 0.0;
      if (curvature > 0) {
        gap += 0.5 * g * g / curvature;
      } else {
        gap += std::abs(g * t);
        if (!slopes.empty()) l1 += slopes[i] * std::abs(t);
        if (!slopes.empty() && slopes[i] > 0 && std::abs(gradient[i]) > slopes[i])
          tau = std::min(tau, slopes[i] / std::abs(gradient[i]));
      }
    }
    // Scaling the dual point by τ costs (1 − τ) of the L1 part, and of the likelihood only the square of that.
    return gap + (1 - tau) * (l1 + (1 - tau) * error);
  });
}

}  // namespace lazylogit::objective
