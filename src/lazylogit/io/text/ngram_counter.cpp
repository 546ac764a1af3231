#include "lazylogit/io/text/ngram_counter.hpp"

namespace lazylogit::io {

const std::vector<NgramCounter::Entry>& NgramCounter::count(const Tokenizer& document,
                                                            GramDictionary& grams) {
  entries_before_ += static_cast<std::uint32_t>(entries_.size());
  entries_.clear();
  words_.clear();
  const std::size_t size = document.num_tokens();
  for (std::size_t i = 0; i < size; ++i) words_.push_back(grams.word(document.token(i)));
  if (max_order_ > 1) grams.make_room(static_cast<int>(max_order_), size);
  constexpr std::size_t ahead = 16;  // pairs: enough that none is waited for
  const auto fetch = [&](std::size_t i) {
    if (max_order_ > 1 && i + 1 < size) grams.prefetch_pair(words_[i], words_[i + 1]);
  };
  for (std::size_t i = 0; i < ahead; ++i) fetch(i);
  for (std::size_t i = 0; i < size; ++i) {
    fetch(i + ahead);
    note(grams.find_word(words_[i]));
    std::uint32_t beginning = words_[i];
    for (std::uint32_t order = 2; order <= max_order_ && i + order <= size; ++order) {
      GramDictionary::Place& place = grams.find(order, beginning, words_[i + order - 1]);
      note(place);
      beginning = place.gram;
    }
  }
  return entries_;
}

}  // namespace lazylogit::io
