// N-grams of a block without their texts, numbered 0, 1, 2, … by first appearance.
//
// A word is known by its letters; an n-gram of several words by two numbers: what it begins with, which is a word where it
// has two and the n-gram without the last word where it has more, and its last word. So no letters but those of single
// words are hashed, compared or kept, and where to look is known early enough to fetch it before it is needed. Words hold
// no blanks, so n-grams are the same exactly when their texts are. Words have numbers of their own, in any order.
// The hash is seeded per process, so a file cannot be made to collide on purpose; numbers do not depend on it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/data/alphabet.hpp"

namespace lazylogit::io {

class GramDictionary {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  // What is known of an n-gram: its number, and what the caller notes.
  struct Place {
    std::uint32_t gram = none;
    std::uint32_t note = 0;
  };

  std::size_t size() const noexcept { return grams_.size(); }
  bool empty() const noexcept { return grams_.empty(); }
  // Forgets everything; the memory is used again.
  void clear();

  // The number of a word, which need not be an n-gram yet.
  std::uint32_t word(std::string_view text);
  // Before places of several words are asked for: none of them moves while at most `count` of each order are added.
  void make_room(int max_order, std::size_t count);
  void prefetch_pair(std::uint32_t first, std::uint32_t second) const noexcept {
    prefetch(&tables_[0].slots[tables_[0].home(key_of(first, second))]);
  }
  // The place of the word as an n-gram, or of `order` ≥ 2 words; new ones get the next number.
  Place& find_word(std::uint32_t word) {
    Place& place = word_places_[word];
    if (place.gram == none) place.gram = add({1, 0, word});
    return place;
  }
  Place& find(std::uint32_t order, std::uint32_t beginning, std::uint32_t last_word) {
    Place& place = tables_[order - 2].find(key_of(beginning, last_word));
    if (place.gram == none) {
      ++tables_[order - 2].used;
      place.gram = add({order, beginning, last_word});
    }
    return place;
  }

  // What an n-gram is: of how many words; what it begins with, where that is more than nothing; and its last word.
  struct Gram {
    std::uint32_t order, beginning, last_word;
  };
  const Buffer<Gram>& grams() const noexcept { return grams_; }  // by number
  const data::Alphabet& words() const noexcept { return words_; }

  static std::uint64_t key_of(std::uint32_t beginning, std::uint32_t last_word) noexcept {
    return std::uint64_t{beginning} << 32 | last_word;
  }
  static std::uint64_t hash(std::uint64_t key) noexcept {
    key = (key ^ seed) * 0x9E3779B97F4A7C15ULL;
    return (key ^ key >> 32) * 0xD6E8FEB86659FD93ULL;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    Place place;  // without a number: an empty slot
  };
  // Of one order. Open addressing; a power of two of slots, at most half of them used.
  struct Table {
    math::AlignedVector<Slot> slots;
    std::size_t used = 0;
    int shift = 64;

    std::size_t home(std::uint64_t key) const noexcept { return hash(key) >> shift; }
    Place& find(std::uint64_t key) noexcept {
      for (std::size_t i = home(key);; i = (i + 1) & (slots.size() - 1)) {
        Slot& slot = slots[i];
        if (slot.key == key && slot.place.gram != none) return slot.place;
        if (slot.place.gram != none) continue;
        slot.key = key;
        return slot.place;
      }
    }
    void grow(std::size_t num_slots);
  };

  std::uint32_t add(const Gram& gram) {
    grams_.push_back(gram);
    return static_cast<std::uint32_t>(grams_.size() - 1);
  }

  static const std::uint64_t seed;

  data::Alphabet words_;
  Buffer<Place> word_places_;  // by word
  std::vector<Table> tables_;  // of two words, three, …
  Buffer<Gram> grams_;
};

}  // namespace lazylogit::io
