// Cuts held-out rows out of a data set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::data {

// Candidates of a choice stay together: then choices are drawn and copied, not rows.
//
// Moves round(fraction · n) rows, at least one and not all, from `rows` to the result; both keep their order.
// Which ones is drawn without replacement by `seed` alone; a class or label of which no row would be left keeps its first.
// 0 < fraction < 1; ConfigError below two rows, and where no row can be spared.
// Needs memory for the moved rows only.
Rows take_holdout(Rows& rows, double fraction, std::uint64_t seed);

// A copy of some of the rows, in the order given; of choices all candidates must be given, one after another.
Rows copy_rows(const Rows& rows, std::span<const std::size_t> which);

}  // namespace lazylogit::data
