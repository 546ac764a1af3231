// A short way to the ids of names that come again and again (categories, labels): a few ids by a cheap hash, each
// compared in full before it counts. What it does not know goes to the alphabet's own index, so that no choice of
// names makes it slow.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lazylogit/data/alphabet.hpp"

namespace lazylogit::io {

class RecentNames {
 public:
  // As names.intern(name). The same alphabet in every call between two clear().
  FeatureId intern(std::string_view name, data::Alphabet& names) {
    std::uint32_t& recent = ids_[place_of(name)];
    if (recent != 0 && names.name(recent - 1) == name) return recent - 1;
    const FeatureId id = names.intern(name);
    recent = id + 1;
    return id;
  }
  void clear() noexcept { ids_.fill(0); }

 private:
  static constexpr int bits = 7;

  template <class Word>
  static std::uint64_t load(const char* at) noexcept {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  // Both ends of the name and its length.
  static std::size_t place_of(std::string_view name) noexcept {
    const char* const first = name.data();
    const std::size_t size = name.size();
    std::uint64_t mixed = size;
    if (size >= 8)
      mixed ^= load<std::uint64_t>(first) ^ std::rotl(load<std::uint64_t>(first + size - 8), 29);
    else if (size >= 4)
      mixed ^= load<std::uint32_t>(first) ^ (load<std::uint32_t>(first + size - 4) << 32);
    else if (size > 0)
      mixed ^= (load<std::uint8_t>(first) << 8) ^ (load<std::uint8_t>(first + size / 2) << 24) ^
               (load<std::uint8_t>(first + size - 1) << 40);
    return static_cast<std::size_t>((mixed * 0x9E3779B97F4A7C15ULL) >> (64 - bits));
  }

  std::array<std::uint32_t, std::size_t{1} << bits> ids_ = {};  // plus one; 0: none
};

}  // namespace lazylogit::io
