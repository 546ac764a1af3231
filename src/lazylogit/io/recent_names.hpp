// A short way to the ids of names that come again and again (categories, labels): a few of them by a cheap hash, each
// compared in full before it counts. What it does not know goes to the alphabet's own index, so that no choice of
// names makes it slow.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lazylogit/base/types.hpp"

namespace lazylogit::io {

class RecentNames {
 public:
  // As names.intern(name); Names is an Alphabet or looks like one. The same in every call between two clear().
  template <class Names>
  FeatureId intern(std::string_view name, Names&& names) {
    const Ends ends = ends_of(name);
    Recent& recent = recent_[place_of(ends, name.size())];
    // The ends of a short name are all of it.
    if (recent.size == name.size() && recent.ends.first == ends.first && recent.ends.last == ends.last &&
        (name.size() <= all_ends || names.name(recent.id) == name))
      return recent.id;
    const FeatureId id = names.intern(name);
    recent = {ends, name.size(), id};
    return id;
  }
  void clear() noexcept { recent_.fill({}); }

 private:
  static constexpr int bits = 7;
  static constexpr std::size_t all_ends = 2 * sizeof(std::uint64_t);

  struct Ends {
    std::uint64_t first = 0, last = 0;
  };
  struct Recent {
    Ends ends;
    std::size_t size = static_cast<std::size_t>(-1);  // of no name
    FeatureId id = 0;
  };

  template <class Word>
  static std::uint64_t load(const char* at) noexcept {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  // Both ends of a name, which overlap where it is short; of three characters or fewer, each of them.
  static Ends ends_of(std::string_view name) noexcept {
    const char* const first = name.data();
    const std::size_t size = name.size();
    if (size >= 8) return {load<std::uint64_t>(first), load<std::uint64_t>(first + size - 8)};
    if (size >= 4) return {load<std::uint32_t>(first), load<std::uint32_t>(first + size - 4)};
    if (size > 0)
      return {load<std::uint8_t>(first) | load<std::uint8_t>(first + size / 2) << 8,
              load<std::uint8_t>(first + size - 1)};
    return {};
  }
  static std::size_t place_of(const Ends& ends, std::size_t size) noexcept {
    const std::uint64_t mixed = size ^ ends.first ^ std::rotl(ends.last, 29);
    return static_cast<std::size_t>((mixed * 0x9E3779B97F4A7C15ULL) >> (64 - bits));
  }

  std::array<Recent, std::size_t{1} << bits> recent_ = {};
};

}  // namespace lazylogit::io
