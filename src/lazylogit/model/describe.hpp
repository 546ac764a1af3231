// What `inspect` shows of a model: a table for people, CSV of the coefficients, JSON of everything.
//
// Text leaves through a sink in pieces of some kilobytes: a model with a million features and a hundred
// classes is never held as text. Coefficients come vector by vector in the order of the classes (a reference
// class has no rows), features in the order of the model, then "(intercept)". num_nonzero counts coefficients
// other than the intercepts.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

using TextSink = std::function<void(std::string_view)>;

std::size_t count_nonzero(const Model& model);

// The header `class,feature,coefficient` (with a posterior also `std_error`, empty where it holds the coefficient
// fixed), then a row per coefficient, zeros included, 17 significant digits; RFC 4180.
void write_coefficients_csv(const Model& model, const TextSink& sink);

// One JSON object and a line end: classes, reference, num_features, num_nonzero, num_examples, prior,
// prior_parameters, optimizer, termination, termination_message, iterations, passes, log_likelihood, penalty,
// error, log_prior, certificate, options, input, intercept, coefficients ([{class, feature, coefficient}]); with a
// posterior also posterior, log_evidence, log_evidence_error, bic, aic, effective_parameters and each std_error;
// variational posteriors and samples also each mean, lower and upper (95 %), samples sampling and each rhat and ess.
// Unknown numbers are null.
void write_model_json(const Model& model, const TextSink& sink);

// How the model was trained, and the `top` features of each class by absolute coefficient: of `classes`, or
// of the first ten when none are named.
std::string describe_model(const Model& model, std::size_t top, const std::vector<ClassId>& classes = {});

// One line: "relative gap 3.1e-07: error - optimum <= 1.3e-05 (duality gap)". "none" where there is no
// certificate.
std::string describe_certificate(const std::optional<Certificate>& certificate);

}  // namespace lazylogit::model
