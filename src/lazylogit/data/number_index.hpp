// Where things that are numbered 0, 1, 2, … are found by a hash of theirs, in 4 to 9 bytes each.
//
// The things lie elsewhere; the table has their numbers alone, and in the bits that numbers leave free a part of the hash, so that
// few but the right one are looked at. Open addressing, three quarters used at most; any number of slots, of which the upper
// half of the hash chooses one. Memory grows by half at a time, and the old table goes before the new one comes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/math/vector.hpp"

namespace lazylogit::data {

class NumberIndex {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  bool empty() const noexcept { return slots_.empty(); }
  // Whether so many numbers fit, all of which are below `end`.
  bool has_room(std::size_t count, std::size_t end) const noexcept {
    return count <= room_ && std::bit_width(end) <= static_cast<std::size_t>(number_bits_);
  }
  // The numbers below `count`.
  bool has_room(std::size_t count) const noexcept { return has_room(count, count); }
  // Starts anew with room for so many numbers, all of them below `end`; those that were there have to be added again.
  void reset(std::size_t count, std::size_t end) {
    clear();
    slots_ = {};
    number_bits_ = static_cast<int>(std::bit_width(end));
    slots_.assign(count + count / 3 + 2, 0);
    room_ = count;
  }
  void reset(std::size_t count) { reset(count, count); }
  // The same for a table that goes on growing.
  void reset_to_grow(std::size_t count, std::size_t end) {
    reset(count + count / 2 + 11, end + end / 2 + 11);
  }
  void reset_to_grow(std::size_t count) { reset_to_grow(count, count); }
  void clear() noexcept {
    slots_.clear();
    room_ = 0;
  }

  void prefetch(std::uint64_t hash) const noexcept { lazylogit::prefetch(&slots_[home(hash)]); }
  // A number that is likely to be the one that is looked for, if there is one.
  std::uint32_t guess(std::uint64_t hash) const noexcept {
    return find(hash, [](std::uint32_t) { return true; });
  }
  // The number for which is_same(number); `none`: not there. There must be a table.
  template <class IsSame>
  std::uint32_t find(std::uint64_t hash, const IsSame& is_same) const {
    return slot_or_number(hash, is_same).number;
  }
  // The same, and where none is found `number`, which is less than the room, takes the place.
  template <class IsSame>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t number, const IsSame& is_same) {
    const Found found = slot_or_number(hash, is_same);
    if (found.number != none) return found.number;
    slots_[found.slot] = (number + 1) | tag(hash);
    return number;
  }
  // Of a number that is not like any other.
  void add(std::uint64_t hash, std::uint32_t number) {
    find_or_add(hash, number, [](std::uint32_t) { return false; });
  }
  // Adds the numbers below `count` that is_in(number) holds for, each with hash_of(number), but for those that are like an
  // earlier one; false: some are.
  template <class HashOf, class AreSame, class IsIn>
  bool add_all(std::size_t count, const HashOf& hash_of, const AreSame& are_same, const IsIn& is_in) {
    // A large table is a cache miss per number: the slots of a group are fetched while the group before is placed.
    constexpr std::size_t group = 32;
    std::array<std::uint64_t, 2 * group> hashes;
    const auto ask = [&](std::size_t from) {
      for (std::size_t i = from; i < std::min(from + group, count); ++i)
        if (const auto number = static_cast<std::uint32_t>(i); is_in(number))
          prefetch(hashes[i % (2 * group)] = hash_of(number));
    };
    bool distinct = true;
    ask(0);
    for (std::size_t from = 0; from < count; from += group) {
      ask(from + group);
      for (std::size_t i = from; i < std::min(from + group, count); ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        if (!is_in(number)) continue;
        const auto is_same = [&](std::uint32_t other) { return are_same(other, number); };
        distinct = find_or_add(hashes[i % (2 * group)], number, is_same) == number && distinct;
      }
    }
    return distinct;
  }
  // All of them, which differ.
  template <class HashOf>
  void add_all(std::size_t count, const HashOf& hash_of) {
    add_all(count, hash_of, no_two, all);
  }
  // Takes out the number that was added last, which stands in nobody's way.
  void remove_last(std::uint64_t hash, std::uint32_t number) {
    slots_[slot_or_number(hash, [&](std::uint32_t other) { return other == number; }).slot] = 0;
  }

  std::size_t memory_bytes() const noexcept { return slots_.size() * sizeof(std::uint32_t); }

  static bool no_two(std::uint32_t, std::uint32_t) noexcept { return false; }
  static bool all(std::uint32_t) noexcept { return true; }

 private:
  struct Found {
    std::size_t slot;
    std::uint32_t number;
  };

  std::size_t home(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>((hash >> 34) * slots_.size() >> 30);
  }
  // Of the lower half of the hash, above the bits of numbers.
  std::uint32_t tag(std::uint64_t hash) const noexcept {
    return number_bits_ >= 32 ? 0 : static_cast<std::uint32_t>(hash) >> number_bits_ << number_bits_;
  }
  template <class IsSame>
  Found slot_or_number(std::uint64_t hash, const IsSame& is_same) const {
    const std::uint32_t wanted = tag(hash);
    for (std::size_t i = home(hash);; i = i + 1 == slots_.size() ? 0 : i + 1) {
      const std::uint32_t slot = slots_[i];
      if (slot == 0) return {i, none};
      const std::uint32_t other = slot ^ wanted;  // the number and 1, if the tags are the same
      if ((number_bits_ >= 32 || other >> number_bits_ == 0) && is_same(other - 1)) return {i, other - 1};
    }
  }

  math::AlignedVector<std::uint32_t>
      slots_;  // number + 1 and the tag; 0: empty. Huge pages: any place may be next
  std::size_t room_ = 0;
  int number_bits_ = 0;  // that numbers + 1 may have
};

}  // namespace lazylogit::data
