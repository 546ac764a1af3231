// `--prior-covariance FILE`: a Gaussian prior under which the coefficients of some features are correlated.
//
// The file is a csv table, the header `feature,NAME,NAME,…` and a line `NAME,v,v,…` for each of the names in the same
// order: a symmetric positive definite matrix. Each vector (class) has this covariance; vectors are independent of each
// other. Features that the file does not name keep their own prior, and means come from --prior-file. A feature that the
// data lacks is a warning; its line and column are left out, which is what the joint distribution says about the rest.
#pragma once

#include <span>
#include <string>

#include "lazylogit/base/log.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "lazylogit/train/coefficient_finder.hpp"

namespace lazylogit::train {

// Everything that can be told of the file without data.
void check_prior_covariance(const std::string& file);

// Couples a Gaussian table.
void apply_prior_covariance(const std::string& file, const CoefficientNames& names, Log& log,
                            prior::PriorTable& table);

// The coupling of a covariance of rows of the layout, ascending, for every vector. Nothing when it is not positive
// definite.
std::optional<prior::Coupling> make_coupling(const model::Shape& shape, std::span<const std::uint64_t> rows,
                                             std::vector<double> covariance);

// Coefficients in units of features divided by their deviation: V_ij / (σ_i σ_j). The table must be coupled.
void scale_coupling(std::span<const double> deviations, const model::Shape& shape, prior::PriorTable& table);

}  // namespace lazylogit::train
