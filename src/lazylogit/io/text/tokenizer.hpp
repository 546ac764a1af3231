// From a document to its n-grams.
//
// Tokens are the maximal runs of word characters (word_characters.hpp), lower-cased if asked. The n-grams of
// orders 1..N are the tokens i, i+1, …, i+k−1 joined by one blank. All of them are substrings of one scratch
// text ("tok tok tok"), so no n-gram is ever copied to be looked up. Linear in the document's length; the
// text must be valid UTF-8 (readers check that first).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/data/input_spec.hpp"

namespace lazylogit::io {

class Tokenizer {
 public:
  explicit Tokenizer(const data::TextSpec& spec) : ngrams_(spec.ngrams), lowercase_(spec.lowercase) {}

  // Splits `document`; the views handed out below live until the next call.
  void split(std::string_view document);

  std::size_t num_tokens() const noexcept { return begins_.size(); }
  std::size_t num_bytes() const noexcept { return joined_.size(); }  // of all tokens, joined
  std::string_view token(std::size_t i) const noexcept { return ngram(i, 1); }
  // Tokens i … i+order−1 joined by blanks; i + order ≤ num_tokens().
  std::string_view ngram(std::size_t i, std::size_t order) const noexcept {
    return {joined_.data() + begins_[i], ends_[i + order - 1] - begins_[i]};
  }

  // The length in bytes of the longest n-gram of the document: what --max-name-bytes is compared with.
  std::size_t longest_ngram() const noexcept;

  // Calls body(std::string_view) for every n-gram: by starting token, shorter ones first.
  template <class Body>
  void for_each_ngram(Body&& body) const {
    for (std::size_t i = 0; i < num_tokens(); ++i)
      for (std::size_t order = 1; order <= static_cast<std::size_t>(ngrams_) && i + order <= num_tokens();
           ++order)
        body(ngram(i, order));
  }

 private:
  int ngrams_;
  bool lowercase_;
  Buffer<char> joined_;
  std::vector<std::size_t> begins_, ends_;
};

}  // namespace lazylogit::io
