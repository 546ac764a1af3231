// Cuts held-out rows out of a data set.
#pragma once

#include <cstdint>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::data {

// Moves round(fraction · n) rows, at least one and not all, from `rows` to the result; both keep their order.
// Which ones is drawn without replacement by `seed` alone. 0 < fraction < 1; ConfigError below two rows.
// Needs memory for the moved rows only.
Rows take_holdout(Rows& rows, double fraction, std::uint64_t seed);

}  // namespace lazylogit::data
