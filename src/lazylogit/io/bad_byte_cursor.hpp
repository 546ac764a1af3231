// Walks over the bytes of a block that no text may hold, beside a parser that walks over its records: the
// check runs over the whole block at once, and an error still falls on the record it belongs to.
//
// In the formats whose records are lines, a line that begins with a byte order mark is bad too: it comes of files put one
// after another, and would be taken for a part of a label.
#pragma once

#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

class BadByteCursor {
 public:
  explicit BadByteCursor(const TextBlock& block)
      : end_(block.text().data() + block.text().size()), next_(find_bad_byte(block.text())) {}

  bool none() const noexcept { return next_ == nullptr; }

  // The first bad byte before `record_end`, or nullptr. Records are asked for in order; after a hit the
  // search goes on behind the record.
  const char* before(const char* record_end) {
    if (next_ == nullptr || next_ >= record_end) return nullptr;
    const char* const hit = next_;
    next_ = record_end < end_ ? find_bad_byte({record_end, static_cast<std::size_t>(end_ - record_end)})
                              : nullptr;
    return hit;
  }

  // The same for formats whose records are lines.
  const char* in_line(const char* line, const char* line_end) {
    const char* const hit = before(line_end);
    return is_byte_order_mark(line) ? line : hit;
  }

 private:
  const char* end_;
  const char* next_;
};

}  // namespace lazylogit::io
