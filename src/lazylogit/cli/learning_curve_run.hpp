// train --learning-curve: the table before the summary, and a csv for plots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

inline constexpr const char* curve_table = "table";  // the value of --learning-curve that names no file

// Finds out before any work what stands in the way, and opens the file of a value that names one.
std::unique_ptr<OutputFile> plan_learning_curve(const std::string& value, const train::TrainOptions& options,
                                                bool has_holdout);

// Fits the parts of `data` and judges them by `held_out`; null: a fifth of the rows, drawn by the seed, which is said.
// Returns the table; a line per part goes to the console. `csv` may be null.
std::string run_learning_curve(const data::Dataset& data, const data::Rows* held_out,
                               const train::TrainOptions& options, OutputFile* csv, Session& session);

}  // namespace lazylogit::cli
