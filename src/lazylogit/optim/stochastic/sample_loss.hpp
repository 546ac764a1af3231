// Σ w (−log p) over chosen examples of a problem: what trials on a sample are judged by.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

double summed_loss(const objective::Problem& problem, std::span<const std::uint64_t> rows,
                   std::span<const double> coefficients);

}  // namespace lazylogit::optim
