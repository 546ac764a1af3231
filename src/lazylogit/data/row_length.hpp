// |x|² of a row.
#pragma once

#include <cstddef>

#include "lazylogit/data/row_source.hpp"

namespace lazylogit::data {

// Four interleaved sums, which do not wait for each other.
template <class Value>
double squared_length(const RowView<Value>& row) noexcept {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= row.size(); k += 4)
    for (std::size_t l = 0; l < 4; ++l) sums[l] += row.value(k + l) * row.value(k + l);
  for (; k < row.size(); ++k) sums[0] += row.value(k) * row.value(k);
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace lazylogit::data
