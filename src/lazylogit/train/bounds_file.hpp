// --bounds: between which values a coefficient may lie, from a csv file.
//
//   feature,class,lower,upper      -inf, inf or nothing: no bound; 0 on one side: a sign
//
// Names and `*` as in coefficient_finder.hpp; later lines win. Bounds are in the units of the coefficients that the model
// reports.
#pragma once

#include <string>

#include "lazylogit/base/log.hpp"
#include "lazylogit/optim/stochastic/constraints.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "lazylogit/train/coefficient_finder.hpp"

namespace lazylogit::train {

// Everything about the file that can be told without data. Throws IoError, InputError.
void check_bounds_file(const std::string& file);

// Throws like check_bounds_file, and where the prior pins a coefficient outside its bounds.
optim::Bounds load_bounds(const std::string& file, const CoefficientNames& names,
                          const prior::PriorTable& prior, Log& log);

}  // namespace lazylogit::train
