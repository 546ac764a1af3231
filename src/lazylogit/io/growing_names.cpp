#include "lazylogit/io/growing_names.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <charconv>

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

struct GrowingNames::LargeKeys {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> columns;
};

GrowingNames::GrowingNames() : large_(std::make_unique<LargeKeys>()) {}
GrowingNames::~GrowingNames() = default;

std::uint32_t& GrowingNames::place_of(std::uint32_t key) {
  constexpr std::uint32_t direct_limit = std::uint32_t{1} << 20;
  if (key >= direct_limit) return large_->columns.try_emplace(key, unknown).first->second;
  if (key >= direct_.size())
    direct_.resize(std::min<std::size_t>(direct_limit, std::max<std::size_t>(key + 1, 2 * direct_.size())),
                   unknown);
  return direct_[key];
}

std::uint32_t GrowingNames::add_column(std::uint32_t key) {
  std::uint32_t& column = place_of(key);
  if (column != unknown) return column;
  char text[24];
  const auto written = std::to_chars(text, text + sizeof text, std::uint64_t{key} + base_);
  features.append({text, static_cast<std::size_t>(written.ptr - text)});
  return column = static_cast<std::uint32_t>(features.size() - 1);
}

void GrowingNames::to_columns(std::uint32_t* keys, std::size_t size) {
  const std::uint32_t* table = direct_.data();
  std::size_t known = direct_.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::uint32_t column = keys[k] < known ? table[keys[k]] : unknown;
    if (column == unknown) {
      column = add_column(keys[k]);
      table = direct_.data();
      known = direct_.size();
    }
    keys[k] = column;
  }
}

void GrowingNames::number_columns(int index_base) {
  direct_.clear();
  large_ = std::make_unique<LargeKeys>();
  base_ = static_cast<std::uint64_t>(index_base);
  for (std::size_t id = 0; id < features.size(); ++id) {
    std::uint64_t index = 0;
    if (parse_integer(features.name(static_cast<FeatureId>(id)), 0xFFFFFFFF, index) == NumberStatus::ok &&
        index >= base_)
      place_of(static_cast<std::uint32_t>(index - base_)) = static_cast<std::uint32_t>(id);
  }
}

}  // namespace lazylogit::io
