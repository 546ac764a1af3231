// Which coefficients a Gaussian approximation of the posterior covers, and which directions say nothing.
//
// A coefficient takes part unless it is pinned, or sits exactly at the kink of an L1 prior, where the error has no
// curvature. In the symmetric form, adding one number to the k coefficients of a feature changes no probability; where
// none of them has a prior (free intercepts), that direction is flat. It is fixed by asking that the k numbers keep their
// sum: the Hessian gets s·aaᵀ, a = the k ones, and what that adds is taken out of the covariance and the determinant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::bayes {

struct CurvatureFrame {
  std::vector<std::uint32_t> coordinates;  // those that take part, ascending
  std::vector<std::size_t> at_kink;        // those left out because of an L1 prior
  std::vector<std::size_t>
      flat_rows;              // features (or the intercept) whose k coefficients may be shifted together
  math::Vector diagonal;      // of the Hessian of the error, one per coordinate; all > 0
  std::vector<double> shift;  // s of each flat row

  // P: coordinates less flat directions.
  double dimension() const noexcept {
    return static_cast<double>(coordinates.size()) - static_cast<double>(flat_rows.size());
  }
};

using Names = objective::CertificateNames;

// Sets the objective's curvature point to b. Throws InputError naming the coefficient when the error has no positive
// curvature along one of them, ConfigError beyond 2³² coefficients.
CurvatureFrame curvature_frame(objective::Posterior& objective, std::span<const double> b,
                               const Names& names);

// Features (or the intercept) of the symmetric form without a prior in any vector.
std::vector<std::size_t> flat_rows(const objective::Problem& problem);

// "feature (class)", for messages.
std::string coordinate_name(const model::Shape& shape, std::size_t coordinate, const Names& names);

}  // namespace lazylogit::bayes
