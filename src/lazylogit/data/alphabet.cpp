#include "lazylogit/data/alphabet.hpp"

#include <xxhash.h>

#include <bit>
#include <random>

namespace lazylogit::data {
namespace {

std::uint64_t hash_name(std::string_view name) noexcept {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
  }();
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

}  // namespace

void Alphabet::append(std::string_view name) {
  bytes_.append({name.data(), name.size()});
  ends_.push_back(bytes_.size());
  table_.clear();
}

FeatureId Alphabet::intern(std::string_view name) {
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

std::optional<FeatureId> Alphabet::find(std::string_view name) const noexcept {
  if (table_.empty()) return std::nullopt;
  const std::uint64_t hash = hash_name(name);
  const std::size_t mask = table_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t i = hash & mask; table_[i].id != 0; i = (i + 1) & mask)
    if (table_[i].tag == tag && this->name(table_[i].id - 1) == name) return table_[i].id - 1;
  return std::nullopt;
}

void Alphabet::build_index() {
  if (table_.empty()) grow_table(size());
}

void Alphabet::grow_table(std::size_t num_names) {
  const std::size_t slots = std::bit_ceil(num_names * 2 + 14);
  table_ = Buffer<Slot>(slots, Slot{0, 0});
  for (std::size_t id = 0; id < size(); ++id)
    place(static_cast<FeatureId>(id), hash_name(name(static_cast<FeatureId>(id))));
}

void Alphabet::place(FeatureId id, std::uint64_t hash) noexcept {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash & mask;
  while (table_[i].id != 0) i = (i + 1) & mask;
  table_[i] = {static_cast<std::uint32_t>(hash >> 32), id + 1};
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
