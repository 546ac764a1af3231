// What a model knows beyond its predictions: intervals, reasons, improbable rows.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "lazylogit/bayes/predictive.hpp"
#include "views.hpp"

namespace lazylogit::python {

// plug-in, probit or monte-carlo. Throws ConfigError for another name.
bayes::PredictiveForm predictive_form(const std::string& name);

// Probabilities under the posterior predictive, rows × classes; with settings.intervals their lower and upper bounds too,
// as a tuple of three. Throws ConfigError without a posterior.
nanobind::object predictive_of(const Fitted& fitted, const Table& table,
                               const bayes::PredictiveSettings& settings);

// A model of numbers: where the labels of rows lie with probability `level`, as (lower, upper). Throws ConfigError without
// a posterior.
nanobind::tuple number_bounds_of(const Fitted& fitted, const Table& table, double level);

// For each row: (best, rival, margin, [(feature, value, contribution), …]), classes by their numbers in the model.
nanobind::list explanations_of(const Fitted& fitted, const Table& table, std::size_t top);

// Rows by how improbable their labels are when they are left out: a dictionary of arrays. `y` has the labels.
nanobind::dict outliers_of(const Fitted& fitted, const Table& table, const Labelled* y,
                           const std::string& method, std::size_t folds, std::uint64_t seed);

// Everything, as `lazylogit inspect --json` says it.
std::string json_of(const Fitted& fitted);

}  // namespace lazylogit::python
