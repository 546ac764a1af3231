// The coefficients of one vector as a table for people; with a posterior the table statisticians know.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lazylogit/model/chain_diagnostics.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

// The `top` features with the largest absolute coefficients, then the intercept. With a posterior the columns are
// coefficient, standard error, z, the 95 % interval and the odds ratio e^b; variational posteriors and samples have their
// mean in the place of z, samples also R-hat and the effective sample size.
std::string coefficient_table(const Model& model, std::size_t vector, std::size_t top);

// The standard error of a coordinate (model/shape.hpp); nothing where the posterior holds it fixed. Needs a posterior.
std::optional<double> standard_error(const Model& model, std::size_t coordinate);

struct Interval {
  double lower = 0, upper = 0;
};
// The interval that holds a coordinate with probability `level`: quantiles of samples, else of the normal distribution.
Interval credible_interval(const Model& model, std::size_t coordinate, double level);

// How well the chains agree about a coordinate; samples only.
ChainDiagnostics diagnose(const PosteriorApproximation& posterior, std::size_t coordinate);

// One line (two for samples): kind, log evidence, BIC, AIC, effective parameters.
std::string describe_posterior(const PosteriorApproximation& posterior);

}  // namespace lazylogit::model
