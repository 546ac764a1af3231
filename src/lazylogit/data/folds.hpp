// Parts of a data set for cross-validation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/base/types.hpp"

namespace lazylogit::data {

// Rows dealt to `count` folds at random, class by class, so that every fold has its share of each; fewer folds where
// there are fewer rows. Folds list their rows in no particular order.
std::vector<std::vector<std::size_t>> stratified_folds(std::span<const std::size_t> rows,
                                                       std::span<const ClassId> labels, std::size_t count,
                                                       std::uint64_t seed);

}  // namespace lazylogit::data
