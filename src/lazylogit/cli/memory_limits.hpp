// What training will need, against --max-memory, before it is taken. 0: no limit. Errors name the option.
#pragma once

#include <cstdint>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

// The data and the few vectors of coefficients that every optimizer needs, and each shard of --shards again.
void check_memory(const data::Dataset& data, const train::TrainOptions& options, std::uint64_t limit);
// The rows that a kernel makes of the data.
void check_kernel_memory(const data::Dataset& data, const train::TrainOptions& options, std::uint64_t limit);

}  // namespace lazylogit::cli
