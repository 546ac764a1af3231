// Kernel logistic regression: rows are mapped (data/kernel_map.hpp) before anything is trained on them.
//
// Under a Gaussian prior the variance V is that of the function: the penalty is αᵀKα/(2V), which for a linear kernel is
// the penalty |b|²/(2V) of ordinary logistic regression. Every other prior acts on each dual coefficient; Laplace's keeps
// few training rows. With random waves all priors act on the coefficients of the waves.
#pragma once

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

inline constexpr std::size_t max_exact_rows = 10'000;

// Throws ConfigError for options that contradict each other.
void check_kernel(const TrainOptions& options);

// Makes the kernel's map from the rows and replaces their features; nothing without --kernel, or where it was done. Other
// rows, of a holdout, follow by map_rows. To be called before train(), tune() and compare().
void apply_kernel(data::Dataset& data, const TrainOptions& options, Log& log, const CancelToken& cancel);
// What the mapped rows will need, before they are made; 0 without --kernel.
double kernel_bytes(const data::Dataset& data, const TrainOptions& options);
void map_rows(const data::Dataset& like, data::Rows& rows);

}  // namespace lazylogit::train
