// What a user can say about learning from a stream. The field table is in stream_options.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/config/field.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

struct StreamOptions {
  bool stream = false;
  std::uint64_t window = 10000;  // examples of the windowed loss
  std::uint64_t skip_rows = 0;   // rows at the start that are passed over
  bool state = true;             // --no-state
  std::string checkpoint;        // a file; also without --stream
  std::optional<std::uint64_t> checkpoint_rows;
  double checkpoint_seconds = 60;
  std::string grid;  // widths of the prior, separated by commas
  bool regret = false;
};

// Groups "Checkpoints" and "Stream".
const config::Table<StreamOptions>& stream_fields();

// Throws ConfigError for training options that mean nothing in a stream (of choices, where rows are their candidates), and for a
// learner that does not exist or refuses the settings.
void check_stream_options(const TrainOptions& options, bool choices = false);

// The options of each model of --grid: those given, with one of the widths as --variance (gaussian, laplace) or --scale
// (cauchy). Without a grid the options as they are. Throws ConfigError about the grid.
std::vector<TrainOptions> grid_options(const TrainOptions& options, const std::string& grid);

}  // namespace lazylogit::train
