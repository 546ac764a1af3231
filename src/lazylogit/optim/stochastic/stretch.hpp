// How many rows learners take between looks at the clock and at whether to stop.
#pragma once

#include <cstddef>

namespace lazylogit::optim {

inline constexpr std::size_t rows_per_stretch = 4096;

}  // namespace lazylogit::optim
