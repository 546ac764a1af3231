// Labels as they are read: each raw token is checked once against what labels are (data/response.hpp).
//
// classes: a name, or a finite number. number: a finite number; tokens are not kept. labels: names or numbers separated
// by commas, blanks around them left out, none twice and none empty; the whole token is kept as one entry, whose
// canonical text has no blanks around commas. An empty token is the empty set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/response.hpp"
#include "lazylogit/io/recent_names.hpp"

namespace lazylogit::io {

class LabelDictionary {
 public:
  data::Response response() const noexcept { return response_; }
  // Before the first label.
  void set_response(data::Response response) noexcept { response_ = response; }

  // The number of the label, or nothing when the response has no such label: expected() and problem() say why.
  std::optional<std::uint32_t> intern(std::string_view token);
  std::size_t size() const noexcept { return canonical_.size(); }
  const std::string& canonical(std::uint32_t id) const noexcept { return canonical_[id]; }
  double number(std::uint32_t id) const noexcept { return numbers_[id]; }
  void clear();

  // What a label may be, for messages: "a name or a finite number".
  const char* expected() const noexcept;

 private:
  data::Response response_ = data::Response::classes;
  data::Alphabet tokens_;
  std::vector<std::string> canonical_;  // by token id
  std::vector<bool> valid_;
  std::vector<double> numbers_;  // of numbers, one for each call
  RecentNames recent_;
};

// The labels of a canonical set, in its order; the empty text has none.
std::vector<std::string_view> labels_of_set(std::string_view canonical);

}  // namespace lazylogit::io
