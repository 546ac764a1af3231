// The coefficients of one vector as a table for people; with a posterior the table statisticians know.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

// The `top` features with the largest absolute coefficients, then the intercept. With a posterior the columns are
// coefficient, standard error, z, the 95 % interval and the odds ratio e^b.
std::string coefficient_table(const Model& model, std::size_t vector, std::size_t top);

// The standard error of a coordinate (model/shape.hpp); nothing where the posterior holds it fixed. Needs a posterior.
std::optional<double> standard_error(const Model& model, std::size_t coordinate);

// One line: kind, log evidence, BIC, AIC, effective parameters.
std::string describe_posterior(const PosteriorApproximation& posterior);

}  // namespace lazylogit::model
