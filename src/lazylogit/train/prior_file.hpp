// --prior-file: a prior for each feature and class, from a csv file.
//
//   feature,class,mean,variance      gaussian, laplace      inf: free (uniform), 0: pinned to the mean
//   feature,class,mean,scale         cauchy                 likewise
//   feature,class,mean,l1,l2         elastic-net            0 and 0: free; inf in either: pinned to the mean
//
// `*` matches every feature but (intercept), or every class that has a vector; later lines win. A feature
// that the data lacks is a warning with the nearest name; a class that it lacks, or the reference class, is
// an error.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/base/log.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "lazylogit/train/coefficient_finder.hpp"

namespace lazylogit::train {

// Everything about the file that can be told without data: header, number of fields, numbers. Throws like the next.
void check_prior_file(const std::string& file, std::string_view family);

// Applies the file to the table, which is switched to its per-coordinate form. Throws IoError, InputError.
void apply_prior_file(const std::string& file, const CoefficientNames& names, Log& log,
                      prior::PriorTable& table);

}  // namespace lazylogit::train
