#include "lazylogit/io/text/gram_dictionary.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

namespace lazylogit::io {

const std::uint64_t GramDictionary::seed = [] {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}();

void GramDictionary::clear() {
  words_.truncate(0);
  word_places_.clear();
  for (Table& table : tables_) {
    std::fill(table.slots.begin(), table.slots.end(), Slot{});
    table.used = 0;
  }
  grams_.clear();
}

std::uint32_t GramDictionary::word(std::string_view text) {
  const std::uint32_t number = words_.intern(text);
  if (number == word_places_.size()) word_places_.push_back({});
  return number;
}

void GramDictionary::make_room(int max_order, std::size_t count) {
  if (tables_.size() + 1 < static_cast<std::size_t>(max_order))
    tables_.resize(static_cast<std::size_t>(max_order) - 1);
  for (Table& table : tables_)
    if ((table.used + count) * 2 > table.slots.size())
      table.grow(std::bit_ceil((table.used + count) * 2 + 14));
}

void GramDictionary::Table::grow(std::size_t num_slots) {
  const math::AlignedVector<Slot> before = std::exchange(slots, math::AlignedVector<Slot>(num_slots));
  shift = 64 - std::countr_zero(num_slots);
  for (const Slot& slot : before)
    if (slot.place.gram != none) find(slot.key) = slot.place;
}

}  // namespace lazylogit::io
