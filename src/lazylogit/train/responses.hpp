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

// How many rows a row stands for: its --count where no --weight is mixed into it, else 1.
double rows_of(const data::InputSpec& input, std::span<const double> weights, std::size_t row);

// A sum of such numbers as an integer.
std::uint64_t whole(double number);

// The rows of positive weight that the fit will see, each as many as it stands for. Throws InputError where a row has no label, and where the labels
// leave nothing to learn: one class only, a label that every row has.
std::uint64_t count_examples(const data::Dataset& data, std::span<const double> weights);

}  // namespace lazylogit::train
