// Files that a command will read or write later, looked at before any work.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

// Throws when the place cannot be written. A regular file is opened again when there is something to write; a
// pipe or a device stays open, because its reader would see the end.
std::unique_ptr<OutputFile> probed_output(const std::string& path);

// The files beside the data that the options name.
std::vector<std::string> side_files(const train::TrainOptions& options, const io::ReadOptions& read);

// An output and the option that names it.
struct PlannedOutput {
  const char* option;
  std::string path;  // empty: none is asked for
};

// Throws ConfigError where an output is one of the inputs, or another output, through links too, and where two inputs are
// standard input.
void check_outputs(const std::vector<PlannedOutput>& outputs, const std::vector<std::string>& inputs);

// Priors, bounds and weights of the user's making: whether they can be read, and what can be told of them before there is
// data. A pipe can be read only once, when the names in it can be looked up; so can standard input.
void check_side_files(const train::TrainOptions& options);

}  // namespace lazylogit::cli
