// Counts the n-grams of one document at a time.
//
// Every n-gram is turned into an id by the caller's `resolve` (a dictionary), and the document's distinct ids
// come out in order of first appearance with their counts. A stamp per id tells whether it occurred in this
// document already, so counting costs no sort; memory grows with the largest id, which must therefore be
// dense. One counter serves fewer than 2^32 documents: readers make one per block.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lazylogit/io/text/tokenizer.hpp"

namespace lazylogit::io {

class NgramCounter {
 public:
  explicit NgramCounter(const data::TextSpec& spec) : tokenizer_(spec) {}

  struct Entry {
    std::uint32_t id;
    std::uint32_t count;
  };

  // resolve(std::string_view) -> std::uint32_t. The entries live until the next call.
  template <class Resolve>
  const std::vector<Entry>& count(std::string_view document, Resolve&& resolve) {
    entries_.clear();
    ++document_;
    tokenizer_.split(document);
    tokenizer_.for_each_ngram([&](std::string_view gram) {
      const std::uint32_t id = resolve(gram);
      if (id >= stamps_.size()) stamps_.resize(id + id / 2 + 64);
      Stamp& stamp = stamps_[id];
      if (stamp.document == document_) {
        ++entries_[stamp.position].count;
      } else {
        stamp = {document_, static_cast<std::uint32_t>(entries_.size())};
        entries_.push_back({id, 1});
      }
    });
    return entries_;
  }

  const Tokenizer& tokenizer() const noexcept { return tokenizer_; }

 private:
  struct Stamp {
    std::uint32_t document = 0;
    std::uint32_t position = 0;
  };
  Tokenizer tokenizer_;
  std::vector<Stamp> stamps_;  // by id
  std::vector<Entry> entries_;
  std::uint32_t document_ = 0;
};

}  // namespace lazylogit::io
