// How much of a matrix one task takes in parallel passes over all of its rows or entries.
#pragma once

#include <cstddef>

namespace lazylogit::io {

inline constexpr std::size_t rows_per_block = 4096;
inline constexpr std::size_t entries_per_block = std::size_t{1} << 18;

}  // namespace lazylogit::io
