// What must be in memory after loading, at the least: the rows, the names of features, and a vector of coefficients for each
// class, or one for two classes.
#pragma once

#include <cstddef>
#include <variant>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::bench {

inline std::size_t resident_bytes(const data::Dataset& d) {
  const std::size_t value_bytes = std::holds_alternative<Buffer<double>>(d.x.values)  ? 8
                                  : std::holds_alternative<Buffer<float>>(d.x.values) ? 4
                                                                                      : 0;
  const std::size_t vectors = d.classes.size() == 2 ? 1 : d.classes.size();
  return d.x.ids.size() * (4 + value_bytes) + d.x.row_offsets.size() * 8 + d.labels.size() * 4 +
         d.features.bytes().size() + d.features.size() * (8 + 8 * vectors);
}

}  // namespace lazylogit::bench
