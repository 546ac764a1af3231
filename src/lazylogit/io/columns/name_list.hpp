// A few names in quotes and how many more there are: what messages about columns show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

class NameList {
 public:
  void add(std::string_view name) {
    ++size_;
    if (listed_ == most_listed || text_.size() >= enough_bytes) return;
    text_ += (listed_++ == 0 ? "" : ", ") + quote_text(name);
  }
  std::size_t size() const noexcept { return size_; }
  // "a", "b" and 3 more
  std::string text() const {
    return size_ > listed_ ? text_ + " and " + std::to_string(size_ - listed_) + " more" : text_;
  }

 private:
  // Long names must not push what a message says after them beyond its end.
  static constexpr std::size_t most_listed = 8, enough_bytes = 120;
  std::size_t size_ = 0, listed_ = 0;
  std::string text_;
};

}  // namespace lazylogit::io
