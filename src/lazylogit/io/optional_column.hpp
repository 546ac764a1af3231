// Optional columns of rows that come in parts (weights, offsets): empty while no part has one.
#pragma once

#include <cstddef>

#include "lazylogit/base/buffer.hpp"

namespace lazylogit::io {

// `part` holds the rows from `rows_before` to `rows_now`, or is empty; rows without a number get `neutral`.
inline void append_column(Buffer<double>& all, const Buffer<double>& part, std::size_t rows_before,
                          std::size_t rows_now, double neutral) {
  if (all.empty() && part.empty()) return;
  while (all.size() < rows_before) all.push_back(neutral);
  all.append(part.span());
  while (all.size() < rows_now) all.push_back(neutral);
}

}  // namespace lazylogit::io
