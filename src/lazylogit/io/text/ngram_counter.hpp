// Counts the n-grams of one document at a time.
//
// The document's distinct n-grams come out in order of first appearance, as numbers of a dictionary, with their counts. The
// dictionary notes beside each n-gram its last entry, which tells whether it occurred in this document already: counting
// costs no sort and no further lookup. One counter serves one dictionary, from when that is empty, and fewer than 2^32
// entries: readers make one per block.
#pragma once

#include <cstdint>
#include <vector>

#include "lazylogit/io/text/gram_dictionary.hpp"
#include "lazylogit/io/text/tokenizer.hpp"

namespace lazylogit::io {

class NgramCounter {
 public:
  explicit NgramCounter(int ngrams) : max_order_(static_cast<std::uint32_t>(ngrams)) {}

  struct Entry {
    std::uint32_t id;
    std::uint32_t count;
  };

  // Of the document that was split last. The entries live until the next call.
  const std::vector<Entry>& count(const Tokenizer& document, GramDictionary& grams);

 private:
  void note(GramDictionary::Place& place) {
    if (place.note > entries_before_) {
      ++entries_[place.note - entries_before_ - 1].count;
    } else {
      entries_.push_back({place.gram, 1});
      place.note = entries_before_ + static_cast<std::uint32_t>(entries_.size());
    }
  }

  std::uint32_t max_order_;
  std::uint32_t entries_before_ = 0;  // of documents before this one
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> words_;  // of the document
};

}  // namespace lazylogit::io
