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

void GramDictionary::append_name(const Gram& gram, data::Alphabet& names) {
  const std::string_view last = words_.name(gram.last_word);
  if (gram.order == 1) {
    names.append(last);
    return;
  }
  name_ = gram.order == 2 ? words_.name(gram.beginning) : names.name(gram.beginning);
  name_ += ' ';
  name_ += last;
  names.append(name_);
}

void GramDictionary::merge(const GramDictionary& block, data::Alphabet& names,
                           Buffer<std::uint32_t>& to_here) {
  std::vector<std::uint32_t> words(block.words_.size());
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = word(block.words_.name(i));
  to_here.resize(block.size());
  constexpr std::size_t group = 4096, ahead = 16;
  const int max_order = static_cast<int>(block.tables_.size()) + 1;
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (i % group == 0) make_room(max_order, group);
    if (i + ahead < block.size() && block.grams_[i + ahead].order == 2) {
      const Gram& later = block.grams_[i + ahead];
      prefetch_pair(words[later.beginning], words[later.last_word]);
    }
    Gram gram = block.grams_[i];
    gram.last_word = words[gram.last_word];
    if (gram.order > 1) gram.beginning = gram.order == 2 ? words[gram.beginning] : to_here[gram.beginning];
    to_here[i] =
        (gram.order == 1 ? find_word(gram.last_word) : find(gram.order, gram.beginning, gram.last_word)).gram;
    if (to_here[i] == names.size()) append_name(gram, names);
  }
}

std::size_t GramDictionary::memory_bytes() const noexcept {
  std::size_t bytes =
      words_.memory_bytes() + word_places_.size() * sizeof(Place) + grams_.size() * sizeof(Gram);
  for (const Table& table : tables_) bytes += table.slots.size() * sizeof(Slot);
  return bytes;
}

}  // namespace lazylogit::io
