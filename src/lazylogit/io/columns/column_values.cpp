#include "lazylogit/io/columns/column_values.hpp"

#define XXH_INLINE_ALL  // values are short: the call costs as much as the hash
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <random>

namespace lazylogit::io {
namespace {

std::uint64_t hash_value(std::uint32_t column, std::string_view name) noexcept {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
  }();
  return XXH3_64bits_withSeed(name.data(), name.size(), seed + column * 0x9E3779B97F4A7C15ULL);
}

// So many values of a column need no table.
constexpr std::uint32_t few_values = 8;

}  // namespace

void ColumnValues::clear() noexcept {
  bytes_.clear();
  values_.clear();
  columns_.clear();
  table_.clear();
  used_ = 0;
}

void ColumnValues::drop_index() noexcept {
  table_ = {};
  used_ = 0;
}

ColumnValues::Column& ColumnValues::make(std::uint32_t column) {
  if (const std::size_t size = columns_.size(); column >= size) {
    columns_.resize(std::size_t{column} + 1);
    std::fill(columns_.begin() + size, columns_.end(), Column{});
  }
  return columns_[column];
}

std::uint32_t ColumnValues::find_among(const Column& column, std::string_view name) const noexcept {
  std::uint32_t value = column.first;
  while (value != none && this->name(value) != name) value = values_[value].next;
  return value;
}

std::uint32_t ColumnValues::add(std::uint32_t column, std::string_view name) {
  Column& own = make(column);
  const auto value = static_cast<std::uint32_t>(size());
  bytes_.append({name.data(), name.size()});
  values_.push_back({bytes_.size(), column, none});
  (own.count == 0 ? own.first : values_[own.last].next) = value;
  own.last = value;
  ++own.count;
  return value;
}

std::uint32_t ColumnValues::append(std::uint32_t column, std::string_view name) { return add(column, name); }

std::uint32_t ColumnValues::intern(std::uint32_t column, std::string_view name) {
  const Column own = of(column);
  if (own.count > few_values) return intern_in_table(column, name);
  if (const std::uint32_t value = find_among(own, name); value != none) return value;
  const std::uint32_t added = add(column, name);
  if (own.count < few_values) return added;
  if (is_full(used_ + few_values + 1)) {
    grow_table();  // which takes this column, too
    return added;
  }
  for (std::uint32_t value = own.first; value != none; value = values_[value].next) put_in_table(value);
  return added;
}

std::uint32_t ColumnValues::intern_in_table(std::uint32_t column, std::string_view name) {
  if (is_full(used_ + 1)) grow_table();
  const std::uint64_t hash = hash_value(column, name);
  const std::size_t mask = table_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t i = hash & mask;
  for (; table_[i].value != 0; i = (i + 1) & mask) {
    const std::uint32_t value = table_[i].value - 1;
    if (table_[i].tag == tag && values_[value].column == column && this->name(value) == name) return value;
  }
  const std::uint32_t added = add(column, name);
  table_[i] = {tag, added + 1};
  ++used_;
  return added;
}

void ColumnValues::put_in_table(std::uint32_t value) noexcept {
  const std::uint64_t hash = hash_value(values_[value].column, name(value));
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash & mask;
  while (table_[i].value != 0) i = (i + 1) & mask;
  table_[i] = {static_cast<std::uint32_t>(hash >> 32), value + 1};
  ++used_;
}

void ColumnValues::grow_table() {
  // One table at a time.
  const std::size_t slots = std::bit_ceil((used_ + few_values + 1) * 2);
  table_ = {};
  table_.assign(slots, Slot{0, 0});
  used_ = 0;
  for (std::uint32_t value = 0; value < size(); ++value)
    if (columns_[values_[value].column].count > few_values) put_in_table(value);
}

}  // namespace lazylogit::io
