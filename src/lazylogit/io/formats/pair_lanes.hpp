// Pairs `key:value` whose ends are known, eight at a time, where the processor can; no pair waits for another.
//
// The first of the marks is the blank before a key; then come colons and the ends of values by turns. A value is as scan_number reads
// it (parse_number.hpp). Each function takes pairs from the front and says how many, up to one that is unusual or fewer than a group:
// what is left is for who can say what is wrong. 64 bytes after the text are readable.
#pragma once

#include <cstdint>

#include "lazylogit/io/formats/pair_index.hpp"

namespace lazylogit::io {

inline constexpr std::size_t pair_group = 8;

enum class LaneUse { where_possible, none };

// Keys are decimal numbers from `least` on, which is taken off.
struct KeyRule {
  std::uint32_t least;
  const std::uint32_t* table =
      nullptr;  // memory is asked for its items at the keys, which will be wanted soon
};

// For float and double.
template <class T>
std::size_t take_pairs(const PairMarks& marks, const KeyRule& rule, std::uint32_t* keys, T* values,
                       LaneUse use = LaneUse::where_possible) noexcept;
// Keys are any text, perhaps none.
template <class T>
std::size_t take_values(const PairMarks& marks, T* values, LaneUse use = LaneUse::where_possible) noexcept;

}  // namespace lazylogit::io
