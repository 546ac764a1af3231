// The values of many columns in one dictionary: categories, keys of nested numbers, n-grams. They are numbered 0, 1, 2, … by
// first appearance, whatever their column; the same text in two columns is two values.
//
// A table may have a million columns with a few values each, so that a dictionary for every column would take more than what
// is in it: here a column takes 12 bytes, a value 16 and its text. The first values of a column are compared one by one; where
// there are more, all of them are looked up by XXH3, seeded per process, in a table of 5 to 9 bytes a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/data/number_index.hpp"

namespace lazylogit::io {

class ColumnValues {
 public:
  static constexpr std::uint32_t none = data::NumberIndex::none;

  // Forgets everything; the memory is used again.
  void clear() noexcept;

  std::size_t size() const noexcept { return values_.size(); }
  bool empty() const noexcept { return values_.empty(); }
  std::string_view name(std::uint32_t value) const noexcept {
    const std::uint64_t begin = value == 0 ? 0 : values_[value - 1].end;
    return {bytes_.data() + begin, values_[value].end - begin};
  }
  std::uint32_t column(std::uint32_t value) const noexcept { return values_[value].column; }

  // The number of a value, added at the end when new.
  std::uint32_t intern(std::uint32_t column, std::string_view name);
  // Adds one that the caller knows to be new; intern() may not be called any more.
  std::uint32_t append(std::uint32_t column, std::string_view name);
  // After the last intern(): gives the memory back that only lookups need.
  void drop_index() noexcept;

  // Those of a column by first appearance: how many, the first one, and the one after another; none.
  std::uint32_t count(std::uint32_t column) const noexcept { return of(column).count; }
  std::uint32_t first(std::uint32_t column) const noexcept { return of(column).first; }
  std::uint32_t next(std::uint32_t value) const noexcept { return values_[value].next; }
  // Whether the column has the value. Linear in their number.
  bool has(std::uint32_t column, std::string_view name) const noexcept {
    return find_among(of(column), name) != none;
  }

 private:
  struct Value {
    std::uint64_t end;  // of its text, in bytes_
    std::uint32_t column, next;
  };
  struct Column {
    std::uint32_t first = none, last = none, count = 0;
  };

  const Column& of(std::uint32_t column) const noexcept {
    static constexpr Column nothing;
    return column < columns_.size() ? columns_[column] : nothing;
  }
  Column& make(std::uint32_t column);
  std::uint32_t find_among(const Column& column, std::string_view name) const noexcept;
  std::uint32_t add(std::uint32_t column, std::string_view name);
  std::uint32_t intern_in_table(std::uint32_t column, std::string_view name);
  std::uint64_t hash_of(std::uint32_t value) const noexcept;
  void fill_table();

  Buffer<char> bytes_;
  Buffer<Value> values_;
  Buffer<Column> columns_;   // up to the last one that has values
  data::NumberIndex table_;  // of columns with many values
  std::size_t used_ = 0;     // how many those have
};

}  // namespace lazylogit::io
