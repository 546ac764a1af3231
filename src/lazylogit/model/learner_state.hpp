// What an online learner needs to go on exactly where it stopped; kept in the model file unless --no-state.
//
// One record of `width` doubles for each feature and, last, the intercept; a few named numbers; the classes in the order in
// which they appeared. Records that are all 0 may be left out: `rows` then names those present.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/types.hpp"

namespace lazylogit::model {

struct LearnerState {
  std::string learner;                                  // the optimizer
  std::vector<ClassId> arrival;                         // of classes in the model's order
  std::vector<std::pair<std::string, double>> scalars;  // by name, ascending
  std::uint64_t width = 0;
  std::vector<std::uint64_t> rows;  // ascending; empty: all
  Buffer<double> records;           // as many as rows, or one per feature and the intercept
};

}  // namespace lazylogit::model
