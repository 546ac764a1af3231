// The few integer types that every layer shares.
#pragma once

#include <cstdint>

namespace lazylogit {

using FeatureId = std::uint32_t;  // a column of the data; dense, 0-based
using ClassId = std::int32_t;     // a row of the class table; dense, 0-based

inline constexpr ClassId unknown_class =
    -1;  // a label that the class table does not hold, or no label at all

}  // namespace lazylogit
