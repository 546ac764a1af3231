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
    if (++size_ <= shown) text_ += (size_ == 1 ? "" : ", ") + quote_text(name);
  }
  std::size_t size() const noexcept { return size_; }
  // "a", "b" and 3 more
  std::string text() const {
    return size_ > shown ? text_ + " and " + std::to_string(size_ - shown) + " more" : text_;
  }

 private:
  static constexpr std::size_t shown = 8;
  std::size_t size_ = 0;
  std::string text_;
};

}  // namespace lazylogit::io
