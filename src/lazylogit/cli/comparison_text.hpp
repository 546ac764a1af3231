// A comparison of optimizers as tables for people, as JSON, and as a csv of all evaluations for plotting.
#pragma once

#include <string>

#include "lazylogit/train/comparison.hpp"

namespace lazylogit::cli {

// Seconds, processor seconds and passes to the relative gaps 1e-1 … 1e-8, then how each run ended.
std::string comparison_text(const train::Comparison& comparison, bool held_out);

// One object and a line end: lower_bound, proved, accuracy_on, optimizers [{asked, optimizer, termination,
// message, seconds, cpu_seconds, passes, error, relative_gap, accuracy, reached [{gap, seconds, cpu_seconds,
// passes}]}]; gaps that were not reached are left out.
std::string comparison_json(const train::Comparison& comparison, bool held_out);

// optimizer,passes,seconds,cpu_seconds,error,relative_gap,gradient_norm,step,holdout_log_loss: a line for
// every evaluation, empty cells where there is no number.
std::string comparison_trace(const train::Comparison& comparison);

}  // namespace lazylogit::cli
