#include "lazylogit/io/index_lookup.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

struct IndexLookup::Sparse {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> columns;
};

// key_of(name, key): false when the name is none.
template <class KeyOf>
void IndexLookup::fill(const data::Alphabet& names, const KeyOf& key_of) {
  std::size_t limit = 0;
  std::uint32_t key = 0;
  for (std::size_t id = 0; id < names.size(); ++id)
    if (key_of(names.name(static_cast<FeatureId>(id)), key)) limit = std::max(limit, std::size_t{key} + 1);
  const bool dense = limit <= names.size() * 8 + 65536;
  if (dense)
    table_.assign(limit, unknown);
  else
    sparse_ = std::make_unique<Sparse>();
  for (std::size_t id = 0; id < names.size(); ++id) {
    if (!key_of(names.name(static_cast<FeatureId>(id)), key)) continue;
    if (dense)
      table_[key] = static_cast<std::uint32_t>(id);
    else
      sparse_->columns.emplace(key, static_cast<std::uint32_t>(id));
  }
}

IndexLookup::IndexLookup(const data::Alphabet& names, int index_base) {
  const auto base = static_cast<std::uint64_t>(index_base);
  fill(names, [base](std::string_view name, std::uint32_t& key) {
    std::uint64_t index = 0;
    if (parse_integer(name, 0xFFFFFFFF, index) != NumberStatus::ok || index < base) return false;
    key = static_cast<std::uint32_t>(index - base);
    return true;
  });
}

IndexLookup::IndexLookup(const data::Alphabet& names, Slots, bool is_identity) : is_identity_(is_identity) {
  fill(names, [](std::string_view name, std::uint32_t& key) {
    std::uint64_t slot = 0;
    if (name.empty() || name.front() != '#' ||
        parse_integer(name.substr(1), 0xFFFFFFFE, slot) != NumberStatus::ok)
      return false;
    key = static_cast<std::uint32_t>(slot);
    return true;
  });
}

std::shared_ptr<const IndexLookup> IndexLookup::of_slots(const data::Alphabet& names,
                                                         std::size_t num_columns) {
  const bool is_identity = names.empty() && num_columns > 0;
  return std::shared_ptr<const IndexLookup>(new IndexLookup(names, Slots{}, is_identity));
}

IndexLookup::~IndexLookup() = default;

std::uint32_t IndexLookup::find_sparse(std::uint32_t key) const noexcept {
  const auto found = sparse_->columns.find(key);
  return found == sparse_->columns.end() ? unknown : found->second;
}

}  // namespace lazylogit::io
