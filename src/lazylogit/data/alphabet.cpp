#include "lazylogit/data/alphabet.hpp"

#define XXH_INLINE_ALL  // names are short: the call costs as much as the hash
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "lazylogit/base/prefetch.hpp"

namespace lazylogit::data {
namespace {

std::uint64_t hash_name(std::string_view name) noexcept {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
  }();
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

// So many names need no table: they are compared one by one.
constexpr std::size_t few = 8;

std::optional<FeatureId> find_among_few(const Alphabet& names, std::string_view name) noexcept {
  for (FeatureId id = 0; id < names.size(); ++id)
    if (names.name(id) == name) return id;
  return std::nullopt;
}

}  // namespace

void Alphabet::append(std::string_view name) {
  bytes_.append({name.data(), name.size()});
  ends_.push_back(bytes_.size());
  table_.clear();
}

FeatureId Alphabet::intern(std::string_view name) {
  if (table_.empty() && size() < few) {
    if (const std::optional<FeatureId> id = find_among_few(*this, name)) return *id;
    if (ends_.empty()) ends_.reserve(3);
    bytes_.append({name.data(), name.size()});
    ends_.resize(size() + 1);  // grows by less than push_back
    ends_.back() = bytes_.size();
    return static_cast<FeatureId>(size() - 1);
  }
  if (table_.empty() || (size() + 1) * 2 > table_.size()) grow_table(size() + 1);
  const std::uint64_t hash = hash_name(name);
  const std::size_t mask = table_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    if (table_[i].id == 0) {
      bytes_.append({name.data(), name.size()});
      ends_.push_back(bytes_.size());
      table_[i] = {tag, static_cast<std::uint32_t>(size())};
      return static_cast<FeatureId>(size() - 1);
    }
    if (table_[i].tag == tag && this->name(table_[i].id - 1) == name) return table_[i].id - 1;
  }
}

void Alphabet::truncate(std::size_t size) {
  // The latest entry of an open-addressing table stands in nobody's way: it can be emptied without a trace.
  for (std::size_t id = this->size(); !table_.empty() && id > size; --id) {
    std::size_t i = hash_name(name(static_cast<FeatureId>(id - 1))) & (table_.size() - 1);
    while (table_[i].id != id) i = (i + 1) & (table_.size() - 1);
    table_[i] = {0, 0};
  }
  if (size >= this->size()) return;
  ends_.resize(size);
  bytes_.resize(size == 0 ? 0 : ends_[size - 1]);
}

std::optional<FeatureId> Alphabet::find(std::string_view name) const noexcept {
  if (table_.empty()) return size() <= few ? find_among_few(*this, name) : std::nullopt;
  const std::uint64_t hash = hash_name(name);
  const std::size_t mask = table_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = hash & mask; table_[i].id != 0; i = (i + 1) & mask)
    if (table_[i].tag == tag && this->name(table_[i].id - 1) == name) return table_[i].id - 1;
  return std::nullopt;
}

bool Alphabet::build_index() {
  if (!table_.empty() || size() > few) return !table_.empty() || grow_table(size());
  for (FeatureId id = 1; id < size(); ++id)
    if (find_among_few(*this, name(id)) != id) return false;
  return true;
}

bool Alphabet::grow_table(std::size_t num_names) {
  // One table at a time.
  const std::size_t slots = std::bit_ceil(num_names * 2);
  table_ = {};
  table_.assign(slots, Slot{0, 0});
  const std::size_t mask = slots - 1;
  // A large table is a cache miss per name: the slots of a group are fetched while the group before is placed.
  constexpr std::size_t group = 32;
  std::array<std::uint64_t, 2 * group> hashes;
  const auto hash_group = [&](std::size_t from) {
    for (std::size_t id = from; id < std::min(from + group, size()); ++id) {
      const std::uint64_t hash = hash_name(name(static_cast<FeatureId>(id)));
      hashes[id % (2 * group)] = hash;
      prefetch(&table_[hash & mask]);
    }
  };
  bool distinct = true;
  hash_group(0);
  for (std::size_t from = 0; from < size(); from += group) {
    hash_group(from + group);
    for (std::size_t id = from; id < std::min(from + group, size()); ++id) {
      const std::uint64_t hash = hashes[id % (2 * group)];
      const auto tag = static_cast<std::uint32_t>(hash >> 32);
      std::size_t i = hash & mask;
      for (; table_[i].id != 0; i = (i + 1) & mask)
        if (table_[i].tag == tag && name(table_[i].id - 1) == name(static_cast<FeatureId>(id)))
          distinct = false;
      table_[i] = {tag, static_cast<std::uint32_t>(id + 1)};
    }
  }
  return distinct;
}

Alphabet Alphabet::from_raw(Buffer<char> bytes, Buffer<std::uint64_t> ends) {
  Alphabet alphabet;
  alphabet.bytes_ = std::move(bytes);
  alphabet.ends_ = std::move(ends);
  return alphabet;
}

std::size_t Alphabet::memory_bytes() const noexcept {
  return bytes_.size() + ends_.size() * sizeof(std::uint64_t) + table_.size() * sizeof(Slot);
}

}  // namespace lazylogit::data
