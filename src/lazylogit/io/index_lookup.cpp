#include "lazylogit/io/index_lookup.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

struct IndexLookup::Sparse {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> columns;
};

IndexLookup::IndexLookup(const data::Alphabet& names, int index_base) {
  const auto base = static_cast<std::uint64_t>(index_base);
  const auto key_of = [&](std::size_t id, std::uint32_t& key) {
    std::uint64_t index = 0;
    if (parse_integer(names.name(static_cast<FeatureId>(id)), 0xFFFFFFFF, index) != NumberStatus::ok)
      return false;
    if (index < base) return false;
    key = static_cast<std::uint32_t>(index - base);
    return true;
  };
  std::size_t limit = 0;
  std::uint32_t key = 0;
  for (std::size_t id = 0; id < names.size(); ++id)
    if (key_of(id, key)) limit = std::max(limit, std::size_t{key} + 1);
  const bool dense = limit <= names.size() * 8 + 65536;
  if (dense)
    table_.assign(limit, unknown);
  else
    sparse_ = std::make_unique<Sparse>();
  for (std::size_t id = 0; id < names.size(); ++id) {
    if (!key_of(id, key)) continue;
    if (dense)
      table_[key] = static_cast<std::uint32_t>(id);
    else
      sparse_->columns.emplace(key, static_cast<std::uint32_t>(id));
  }
}

IndexLookup::~IndexLookup() = default;

std::uint32_t IndexLookup::find_sparse(std::uint32_t key) const noexcept {
  const auto found = sparse_->columns.find(key);
  return found == sparse_->columns.end() ? unknown : found->second;
}

}  // namespace lazylogit::io
