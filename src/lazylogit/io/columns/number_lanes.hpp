// Short numbers of consecutive columns of a row, as many at a time as a vector has lanes, straight into the row.
//
// The same numbers as read_short_number takes (short_number.hpp), with the same results; zeros are not stored. Where
// fields end is known before, so that no number waits for another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lazylogit::io {

inline constexpr std::size_t number_group = 8;

// What the rows so far had in a group of columns, one bit or place for each.
struct SeenNumbers {
  double first[number_group] = {};  // where known
  std::uint8_t known = 0;           // has had a number
  std::uint8_t varied = 0;          // has had one other than the first; not noted before it is known
};

// The fields of the columns [column, column + count): field i ends at base + ends[i], and the one before it at
// base + ends[i - 1], for i = 0 too; the next field starts a byte later. Eight bytes before the first field are readable,
// and eight items after the last of `ends`.
struct NumberFields {
  const char* base;
  const std::uint32_t* ends;
  std::uint32_t column;
  std::uint32_t count;
};

// Where entries go: room for `number_group` items more than there are fields.
struct NumberEntries {
  std::uint32_t* ids;
  double* values;
  std::size_t size = 0;
};

// The group of columns that TakeNumbers stopped at: bit i of `taken` says that values[i] is the number of its i-th field.
struct StoppedGroup {
  double values[number_group];
  std::uint8_t taken;
};

// Appends the numbers of all fields, group by group. Stops at a group that has a field that is no short number, or a
// column that is not yet known: gives its place among the fields (count: none).
using TakeNumbers = std::uint32_t (*)(const NumberFields& fields, SeenNumbers* seen, NumberEntries& entries,
                                      StoppedGroup& stopped);

// The best this machine has.
TakeNumbers number_taker();

}  // namespace lazylogit::io
