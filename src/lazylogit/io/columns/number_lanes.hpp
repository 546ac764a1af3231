// Short numbers of a row, as many at a time as a vector has lanes.
//
// The same numbers as read_short_number takes (short_number.hpp), with the same results. Where fields end is known
// before, so that no number waits for another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lazylogit::io {

struct RowFields {
  const char* record;         // where the first field starts
  const char* base;           // what the ends are counted from
  const std::uint32_t* ends;  // field c ends at base + ends[c]; the next one starts a byte later
};

inline constexpr std::size_t number_group = 8;

// For the i-th of `columns`, which ascend: values[i], and bit i % 8 of taken[i / 8], which is 0 where the field is no
// short number. Both have room for whole groups; sixteen bytes after every field are readable.
using ReadNumbers = void (*)(const RowFields& row, std::span<const std::uint32_t> columns, double* values,
                             std::uint8_t* taken);

// The best this machine has.
ReadNumbers number_reader();

}  // namespace lazylogit::io
