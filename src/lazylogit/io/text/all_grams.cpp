#include "lazylogit/io/text/all_grams.hpp"

#include <algorithm>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/prefetch.hpp"

namespace lazylogit::io {
namespace {

using Gram = GramDictionary::Gram;
constexpr std::uint32_t none = data::NumberIndex::none;

// Beginnings of one word count from 0 and others from the other end, so that n-grams of different lengths differ.
constexpr std::size_t most_grams = std::size_t{1} << 31;
// In the place of the key of a word. The n-gram 0 is one, and so begins nothing that counts from the other end.
constexpr std::uint64_t no_key = ~std::uint64_t{0};

}  // namespace

// A word that is new gets its place among the n-grams later.
void AllGrams::merge_words(const data::Alphabet& words, const data::Alphabet& names) {
  const std::size_t known = grams_of_words_.size();
  if (!words_.has_room(known + words.size())) {
    words_.reset_to_grow(known + words.size());
    words_.add_all(known,
                   [&](std::uint32_t word) { return data::hash_name(names.name(grams_of_words_[word])); });
  }
  to_words_.resize(words.size());
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words.name(i);
    // One without a place is another word of this block.
    const auto is_same = [&](std::uint32_t word) {
      return grams_of_words_[word] != none && names.name(grams_of_words_[word]) == text;
    };
    const auto next = static_cast<std::uint32_t>(grams_of_words_.size());
    to_words_[i] = words_.find_or_add(data::hash_name(text), next, is_same);
    if (to_words_[i] == next) grams_of_words_.push_back(none);
  }
}

void AllGrams::make_room(std::size_t count) {
  if (size_ + count > most_grams)
    throw LimitError({.message = "found more than " + std::to_string(most_grams - count) +
                                 " different n-grams, which is the limit",
                      .hint = "with --hash-bits they need no dictionary",
                      .code = "too-many-features"});
  while (keys_.size() < size_) keys_.push_back(no_key);
  if (longer_.has_room(size_ + count)) return;
  longer_.reset_to_grow(size_ + count);
  longer_.add_all(
      size_, [&](std::uint32_t gram) { return GramDictionary::hash(keys_[gram]); }, data::NumberIndex::no_two,
      [&](std::uint32_t gram) { return keys_[gram] != no_key; });
}

std::uint64_t AllGrams::key_of(const Gram& gram, const Buffer<std::uint32_t>& to_here) const noexcept {
  const std::uint32_t beginning = gram.order == 2 ? to_words_[gram.beginning] : ~to_here[gram.beginning];
  return GramDictionary::key_of(beginning, to_words_[gram.last_word]);
}

void AllGrams::append_name(const GramDictionary& block, const Gram& gram,
                           const Buffer<std::uint32_t>& to_here, data::Alphabet& names) {
  name_ = gram.order == 2 ? block.words().name(gram.beginning) : names.name(to_here[gram.beginning]);
  name_ += ' ';
  name_ += block.words().name(gram.last_word);
  names.append(name_);
}

void AllGrams::merge(const GramDictionary& block, data::Alphabet& names, Buffer<std::uint32_t>& to_here) {
  merge_words(block.words(), names);
  const Buffer<Gram>& grams = block.grams();
  const bool any_longer = std::any_of(grams.begin(), grams.end(), [](const Gram& g) { return g.order > 1; });
  if (any_longer) make_room(grams.size());
  to_here.resize(grams.size());
  // Where the keys of n-grams that come soon may be, and what lies there.
  constexpr std::size_t ahead = 32, near = 16;
  const auto hash_of = [&](std::size_t i) { return GramDictionary::hash(key_of(grams[i], to_here)); };
  const auto has_key = [&](std::size_t i, std::size_t now) {
    return i < grams.size() && (grams[i].order == 2 || (grams[i].order > 2 && grams[i].beginning < now));
  };
  for (std::size_t i = 0; i < grams.size(); ++i) {
    if (has_key(i + ahead, i)) longer_.prefetch(hash_of(i + ahead));
    if (has_key(i + near, i))
      if (const std::uint32_t found = longer_.guess(hash_of(i + near)); found != none)
        prefetch(&keys_[found]);
    const Gram& gram = grams[i];
    const auto next = static_cast<std::uint32_t>(size_);
    if (gram.order == 1) {
      std::uint32_t& number = grams_of_words_[to_words_[gram.last_word]];
      if (number == none) {
        number = next;
        names.append(block.words().name(gram.last_word));
        if (any_longer) keys_.push_back(no_key);
      }
      to_here[i] = number;
    } else {
      const std::uint64_t key = key_of(gram, to_here);
      to_here[i] = longer_.find_or_add(GramDictionary::hash(key), next,
                                       [&](std::uint32_t other) { return keys_[other] == key; });
      if (to_here[i] == next) {
        append_name(block, gram, to_here, names);
        keys_.push_back(key);
      }
    }
    size_ += to_here[i] == next ? 1 : 0;
  }
}

}  // namespace lazylogit::io
