// The n-grams of all blocks of a text, numbered 0, 1, 2, … by first appearance in the order of blocks.
//
// What the dictionary of a block is made for is speed, here it is size: a text may have tens of millions of n-grams. Their texts
// are names of features, which are kept anyway; beside them an n-gram of several words takes 8 bytes, the two numbers that it is
// known by (gram_dictionary.hpp), and an entry of a number_index. Words are known by their texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/number_index.hpp"
#include "lazylogit/io/text/gram_dictionary.hpp"

namespace lazylogit::io {

class AllGrams {
 public:
  std::size_t size() const noexcept { return size_; }

  // Adds all n-grams of a block, in their order. What is new gets its text at the end of `names`, whose numbers are those
  // of the n-grams and which is always the same. to_here[i] becomes the number of the block's n-gram i.
  void merge(const GramDictionary& block, data::Alphabet& names, Buffer<std::uint32_t>& to_here);

  std::size_t memory_bytes() const noexcept {
    return words_.memory_bytes() + longer_.memory_bytes() + grams_of_words_.size() * sizeof(std::uint32_t) +
           keys_.size() * sizeof(std::uint64_t);
  }

 private:
  void merge_words(const data::Alphabet& words, const data::Alphabet& names);
  void make_room(std::size_t count);
  std::uint64_t key_of(const GramDictionary::Gram& gram, const Buffer<std::uint32_t>& to_here) const noexcept;
  void append_name(const GramDictionary& block, const GramDictionary::Gram& gram,
                   const Buffer<std::uint32_t>& to_here, data::Alphabet& names);

  data::NumberIndex words_;  // by their texts
  Buffer<std::uint32_t> grams_of_words_;
  data::NumberIndex longer_;    // n-grams of several words, by their keys
  Buffer<std::uint64_t> keys_;  // of all n-grams, by number; none where no n-gram has several words
  std::size_t size_ = 0;
  std::vector<std::uint32_t> to_words_;  // scratch: of the block's words
  std::string name_;                     // likewise
};

}  // namespace lazylogit::io
