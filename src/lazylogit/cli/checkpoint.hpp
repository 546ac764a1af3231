// When a checkpoint is due, and how it is written: atomically, as a model.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/train/stream_options.hpp"

namespace lazylogit::cli {

class Checkpoint {
 public:
  explicit Checkpoint(const train::StreamOptions& options) : options_(options) {}
  bool wanted() const noexcept { return !options_.checkpoint.empty(); }
  const std::string& file() const noexcept { return options_.checkpoint; }
  // Whether rows or seconds enough have passed since the last one, or since the first question.
  bool due(std::uint64_t rows);
  // Calls `save` with the open file and commits it.
  void write(const std::function<void(OutputFile&)>& save);

 private:
  using Clock = std::chrono::steady_clock;
  const train::StreamOptions& options_;
  Clock::time_point last_ = Clock::now();
  std::uint64_t last_rows_ = 0;
};

}  // namespace lazylogit::cli
