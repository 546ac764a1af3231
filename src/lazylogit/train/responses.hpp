// What the options say labels are, which options that leaves without a meaning, and whether labels can be learned.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// --loss and --multilabel. Readers of data (io::ReadOptions::response) are told the same.
data::Response response_of(const TrainOptions& options);

// Throws ConfigError for an option that has no meaning for the response.
void check_response(const TrainOptions& options);

// The rows of positive weight that the fit will see. Throws InputError where a row has no label, and where the labels
// leave nothing to learn: one class only, a label that every row has.
std::uint64_t count_examples(const data::Dataset& data, std::span<const double> weights);

}  // namespace lazylogit::train
