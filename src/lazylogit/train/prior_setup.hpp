// From the options about the prior to the prior of every coefficient, and from there into the model and back.
#pragma once

#include <span>
#include <string>

#include "lazylogit/model/model.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// The prior that the options give to a coefficient without a line of its own. Throws ConfigError for a family
// that does not exist, a parameter that belongs to another family, and values that are not positive
// or too small.
prior::AnyPrior make_prior(const TrainOptions& options);

// False for a width so small that its inverse overflows.
bool is_finite(const prior::AnyPrior& prior);

// Priors that act on standardized coefficients, in the units of the data: b = b_z/σ, so variance/σ², scale/σ,
// l1·σ, l2·σ², mean/σ. Features of deviation 0, and the intercept, stay as they are.
void scale_by_deviation(std::span<const double> deviations, const model::Shape& shape,
                        prior::PriorTable& table);

// Makes the prior of every coefficient of feature i strengths[i] times as strong (prior_path.hpp); those beyond the last
// strength stay as they are.
void scale_by_strength(std::span<const double> strengths, const model::Shape& shape,
                       prior::PriorTable& table);

// Writes the prior into a model: prior_json always, the arrays (mean; variance, scale or l1; l2) when
// coefficients differ.
void record_prior(const prior::PriorTable& table, const std::vector<double>& class_weights,
                  model::Model& model);

// The prior and the class weights of a model, from what record_prior wrote. Throws InputError when the record
// does not make sense.
prior::PriorTable prior_of(const model::Model& model);
std::vector<double> class_weights_of(const model::Model& model);

}  // namespace lazylogit::train
