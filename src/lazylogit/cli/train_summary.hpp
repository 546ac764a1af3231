// What `train` prints when it is done: rows, features, classes, error, log loss, certificate, time, memory.
#pragma once

#include <cstdint>
#include <string>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::cli {

struct TrainSummary {
  io::ReadSummary read;
  double seconds_reading = 0;
  double seconds_training = 0;
  std::uint64_t num_rows = 0;  // trained on
  std::uint64_t num_nonzeros = 0;
  double total_weight = 0;
  std::string file;
  const data::Rows* holdout = nullptr;
};

std::string train_summary_text(const TrainSummary& summary, const train::TrainResult& result);

// At most six labels, then how many more: "-1, 1", "a, b, c, d, e, f … 77 classes"
std::string classes_text(const data::ClassTable& classes);

}  // namespace lazylogit::cli
