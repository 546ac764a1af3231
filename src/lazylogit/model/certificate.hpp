// What is proved about a fit: kept in the model, printed by `train`, recomputed by `check MODEL DATA`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lazylogit::model {

enum class CertificateKind {
  duality_gap,       // error − optimum ≤ gap, by a dual point (convex, proper prior)
  newton_decrement,  // error − optimum ≤ gap, by generalized self-concordance (uniform prior on some
                     // coefficients)
  stationarity,      // not convex, or no finite optimum proved: gradient norm and curvature only
};

struct Certificate {
  CertificateKind kind = CertificateKind::stationarity;
  double error = 0;
  std::optional<double> lower_bound;   // on the optimum of the error
  std::optional<double> relative_gap;  // (error − lower_bound) / error; nothing for stationarity
  double gradient_norm = 0;  // largest absolute component of the (minimum-norm sub)gradient of the error
  std::optional<double>
      min_curvature;  // stationarity: smallest curvature found; positive means a strict local minimum
  // The worst violated expectation constraint  Σ x p(c|x) = Σ x I(label = c) − prior term.
  double worst_violation = 0;
  std::string worst_feature, worst_class;
  double rounding = 0;  // allowance for rounding already included in the gap
};

}  // namespace lazylogit::model
