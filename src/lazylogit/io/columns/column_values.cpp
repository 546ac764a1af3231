#include "lazylogit/io/columns/column_values.hpp"

#define XXH_INLINE_ALL  // values are short: the call costs as much as the hash
#include <xxhash.h>

#include <algorithm>
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
  used_ += few_values + 1;
  if (!table_.has_room(used_, size())) {
    fill_table();
    return added;
  }
  for (std::uint32_t value = own.first; value != none; value = values_[value].next)
    table_.add(hash_of(value), value);
  return added;
}

std::uint32_t ColumnValues::intern_in_table(std::uint32_t column, std::string_view name) {
  if (!table_.has_room(used_ + 1, size() + 1)) fill_table();
  const auto next = static_cast<std::uint32_t>(size());
  const std::uint32_t value = table_.find_or_add(hash_value(column, name), next, [&](std::uint32_t other) {
    return values_[other].column == column && this->name(other) == name;
  });
  if (value != next) return value;
  ++used_;
  return add(column, name);
}

std::uint64_t ColumnValues::hash_of(std::uint32_t value) const noexcept {
  return hash_value(values_[value].column, name(value));
}

void ColumnValues::fill_table() {
  table_.reset_to_grow(used_, size());
  table_.add_all(
      size(), [&](std::uint32_t value) { return hash_of(value); }, data::NumberIndex::no_two,
      [&](std::uint32_t value) { return columns_[values_[value].column].count > few_values; });
}

}  // namespace lazylogit::io
