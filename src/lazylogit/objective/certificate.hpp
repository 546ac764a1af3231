// What can be proved about a point: the certificate that every model carries and `check` recomputes.
//
// Convex priors: an upper bound on error(b) − min error, from the dual (dual_gap.hpp) or, where coordinates
// other than intercepts are free, from the Newton decrement (newton_bound.hpp). Cauchy, and problems too
// large for the latter: stationarity only, and said as such.
#pragma once

#include <optional>
#include <span>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/class_table.hpp"
#include "lazylogit/model/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::objective {

// Names for the worst violated constraint; null: "#17" and the class's number are used.
struct CertificateNames {
  const data::Alphabet* features = nullptr;
  const data::ClassTable* classes = nullptr;
};

// The likelihood's part at a point, where it is known already (Posterior::likelihood_gradient).
struct LikelihoodAt {
  double loss = 0;
  std::span<const double> gradient;
  bool with_prior = false;  // as Posterior::value_and_gradient gives it; only where takes_priors_off(problem)
};

// Without `known` one pass finds it out.
model::Certificate certify(Posterior& objective, std::span<const double> b,
                           const CertificateNames& names = {},
                           const std::optional<LikelihoodAt>& known = std::nullopt);
// Columns that are far from 0 are moved for it (shifted_columns.hpp), and derivatives are of those.
model::Certificate certify(const Problem& problem, std::span<const double> b,
                           const CertificateNames& names = {});

// Whether the certificate shows the asked precision: a relative gap of at most `gap`, or for stationarity a
// largest derivative of at most gap·max(1, error) without negative curvature.
bool satisfies(const model::Certificate& certificate, double gap);

// The most that a step along one coordinate alone would lower the error, by its own curvature. A derivative may also be
// small because a column's numbers are: this is the same in all units. `subgradient`: of least size, at b. One pass at most.
double coordinate_gain(Posterior& objective, std::span<const double> b, std::span<const double> subgradient);

// Whether b, of which this is the certificate, may be called an optimum: a gap that satisfies, or stationarity that does, and
// with it a gain of no coordinate above gap·max(1, error). Two passes where there is no gap.
bool shows_optimum(const Problem& problem, std::span<const double> b, const model::Certificate& certificate,
                   double gap);

// A cheap guess of what `certify` would bound, from derivatives at hand: to decide when certifying is worth
// its passes. Never used as proof.
double estimate_gap(const Objective& objective, const prior::PriorTable& prior, std::span<const double> b,
                    std::span<const double> gradient, std::span<const double> pseudo_gradient, double error);

}  // namespace lazylogit::objective
