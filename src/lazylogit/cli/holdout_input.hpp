// --holdout: a fraction of the rows, or files of rows that are not trained on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

struct HoldoutPlan {
  std::optional<double> fraction;
  std::vector<std::string> files;  // where it is no fraction; both empty: nothing is held out
};

// Before anything is read. Throws ConfigError for a fraction that is none, and for other options that do not go with it
// or want it.
HoldoutPlan plan_holdout(const std::string& holdout, const io::ReadOptions& read,
                         const train::TrainOptions& options);

// Warns where a held-out file is one of `data`, through links too: its scores would be those of training.
void warn_about_trained_on(const HoldoutPlan& plan, const std::vector<std::string>& data, Log& log);

// Takes the fraction out of `data`, or reads the files under its names. Throws InputError where there are no rows.
std::optional<data::Rows> load_holdout(const HoldoutPlan& plan, data::Dataset& data,
                                       const io::ReadOptions& read, const train::TrainOptions& options,
                                       Session& session);

}  // namespace lazylogit::cli
