// `train --stream`: one pass over the inputs, row by row, with progressive validation and checkpoints.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/model/safetensors.hpp"
#include "lazylogit/train/stream_options.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

struct StreamRequest {
  const std::vector<std::string>& arguments;
  const io::ReadOptions& read;
  const train::TrainOptions& train;
  const train::StreamOptions& stream;
  const model::ContainerLimits& model_limits;
  std::string warm_start;           // empty: none
  std::string output;               // as typed
  std::unique_ptr<OutputFile> out;  // open already where it is a pipe or a device
};

// Throw ConfigError for options that mean nothing in a stream, or contradict each other.
void check_stream(const train::StreamOptions& stream, const train::TrainOptions& options,
                  const std::vector<std::string>& arguments, const std::string& warm_start, bool choices);
// … for reading options that need more than one pass.
void check_stream_reading(const io::ReadOptions& read);

int run_stream(StreamRequest request, Session& session);

}  // namespace lazylogit::cli
