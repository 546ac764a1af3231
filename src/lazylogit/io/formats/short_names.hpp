// Ids of short names that come again and again in the columns of a block of text: found without a branch on their length,
// and without another look at what they are.
//
// A name is compared in full. What is not found here goes the usual way, and may be put here then.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lazylogit::io {

class ShortNames {
 public:
  static constexpr std::size_t longest = 16;

  struct Key {
    std::uint64_t first = 0, last = 0;
    std::uint64_t owner = ~std::uint64_t{0};  // column and length
    bool operator==(const Key&) const = default;
  };
  // Up to `longest` bytes; so many are readable.
  static Key key_of(std::uint32_t column, std::string_view name) noexcept {
    static constexpr std::array<std::uint64_t, 4> kept = {~std::uint64_t{0}, ~std::uint64_t{0}, 0, 0};
    const char* const mask = reinterpret_cast<const char*>(kept.data()) + longest - name.size();
    return {load(name.data()) & load(mask), load(name.data() + 8) & load(mask + 8),
            std::uint64_t{column} << 32 | name.size()};
  }

  // The id, or nullptr.
  const std::uint32_t* find(const Key& key) const noexcept {
    const Known& known = known_[place_of(key)];
    return known.key == key ? &known.id : nullptr;
  }
  void put(const Key& key, std::uint32_t id) noexcept { known_[place_of(key)] = {key, id}; }

 private:
  static constexpr int bits = 9;

  struct Known {
    Key key;
    std::uint32_t id = 0;
  };
  static std::uint64_t load(const char* at) noexcept {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  static std::size_t place_of(const Key& key) noexcept {
    const std::uint64_t mixed = key.first ^ std::rotl(key.last, 29) ^ std::rotl(key.owner, 40);
    return static_cast<std::size_t>((mixed * 0x9E3779B97F4A7C15ULL) >> (64 - bits));
  }

  std::array<Known, std::size_t{1} << bits> known_ = {};
};

}  // namespace lazylogit::io
