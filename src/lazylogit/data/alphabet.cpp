#include "lazylogit/data/alphabet.hpp"

#define XXH_INLINE_ALL  // names are short: the call costs as much as the hash
#include <xxhash.h>

#include <random>

namespace lazylogit::data {
namespace {

std::uint64_t hash_of(std::string_view name) noexcept {
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

std::uint64_t hash_name(std::string_view name) noexcept { return hash_of(name); }

void Alphabet::append(std::string_view name) {
  bytes_.append({name.data(), name.size()});
  ends_.push_back(bytes_.size());
  index_.clear();
}

FeatureId Alphabet::intern(std::string_view name) {
  if (index_.empty() && size() < few) {
    if (const std::optional<FeatureId> id = find_among_few(*this, name)) return *id;
    if (ends_.empty()) ends_.reserve(3);
    bytes_.append({name.data(), name.size()});
    ends_.resize(size() + 1);  // grows by less than push_back
    ends_.back() = bytes_.size();
    return static_cast<FeatureId>(size() - 1);
  }
  if (!index_.has_room(size() + 1)) {
    index_.reset_to_grow(size() + 1);
    fill_index();
  }
  const auto next = static_cast<FeatureId>(size());
  const FeatureId id =
      index_.find_or_add(hash_of(name), next, [&](FeatureId other) { return this->name(other) == name; });
  if (id == next) {
    bytes_.append({name.data(), name.size()});
    ends_.push_back(bytes_.size());
  }
  return id;
}

void Alphabet::truncate(std::size_t size) {
  for (std::size_t id = this->size(); !index_.empty() && id > size; --id)
    index_.remove_last(hash_of(name(static_cast<FeatureId>(id - 1))), static_cast<FeatureId>(id - 1));
  if (size >= this->size()) return;
  ends_.resize(size);
  bytes_.resize(size == 0 ? 0 : ends_[size - 1]);
}

std::optional<FeatureId> Alphabet::find(std::string_view name) const noexcept {
  if (index_.empty()) return size() <= few ? find_among_few(*this, name) : std::nullopt;
  const FeatureId id = index_.find(hash_of(name), [&](FeatureId other) { return this->name(other) == name; });
  return id == NumberIndex::none ? std::nullopt : std::optional(id);
}

bool Alphabet::build_index() {
  if (!index_.empty()) return true;
  if (size() > few) {
    index_.reset(size());
    return fill_index();
  }
  for (FeatureId id = 1; id < size(); ++id)
    if (find_among_few(*this, name(id)) != id) return false;
  return true;
}

bool Alphabet::fill_index() {
  return index_.add_all(
      size(), [&](FeatureId id) { return hash_of(name(id)); },
      [&](FeatureId a, FeatureId b) { return name(a) == name(b); }, NumberIndex::all);
}

Alphabet Alphabet::from_raw(Buffer<char> bytes, Buffer<std::uint64_t> ends) {
  Alphabet alphabet;
  alphabet.bytes_ = std::move(bytes);
  alphabet.ends_ = std::move(ends);
  return alphabet;
}

std::size_t Alphabet::memory_bytes() const noexcept {
  return bytes_.size() + ends_.size() * sizeof(std::uint64_t) + index_.memory_bytes();
}

}  // namespace lazylogit::data
