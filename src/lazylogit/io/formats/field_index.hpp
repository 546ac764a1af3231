// Where fields end: the delimiters, line ends and quotes of a stretch of delimited text, found 64 bytes at a time.
//
// A parser that knows the ends in advance need not wait for one field before it looks at the next. Marks other than
// delimiters are listed once more, so that one look tells whether a row is plain. The text must be followed by 64 readable
// bytes (blocks are).
#pragma once

#include <cstdint>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/formats/delimited_record.hpp"

namespace lazylogit::io {

class FieldIndex {
 public:
  explicit FieldIndex(const Dialect& dialect);

  // Makes the marks at and after `record` available, up to `end`: those of at least `num_fields` fields. False where
  // the text ends before, or where that would take more than the longest stretch.
  bool seek(const char* record, const char* end, std::size_t num_fields);

  // After seek: the place of the i-th mark, counted from the record.
  const char* mark(std::size_t i) const noexcept { return base_ + marks_[first_mark + at_ + i]; }
  // All of them, counted in bytes from base(); the one before the record too, which is its start less one. Sixteen
  // items after the last are readable.
  const char* base() const noexcept { return base_; }
  const std::uint32_t* marks() const noexcept { return marks_.data() + first_mark + at_; }
  // Whether the record has exactly `num_fields` fields, ends with a line, and has no quotes.
  bool is_plain_row(std::size_t num_fields) noexcept {
    while (others_[other_at_] < at_) ++other_at_;
    return others_[other_at_] == at_ + num_fields - 1 && *mark(num_fields - 1) == '\n';
  }
  // A carriage return before the line end of the record: the last field ends at it, until the mark is moved back.
  void move_mark(std::size_t i, std::int32_t by) noexcept {
    marks_[first_mark + at_ + i] += static_cast<std::uint32_t>(by);
  }
  // On to the next record, past so many marks.
  void skip(std::size_t marks) noexcept { at_ += marks; }

 private:
  static constexpr std::size_t first_mark = 1;  // before it: a mark before the first byte

  void scan(const char* from, const char* end);

  char delimiter_, quote_;
  const char* base_ = nullptr;
  const char* scanned_ = nullptr;  // up to here
  Buffer<std::uint32_t> marks_;    // offsets from base_; room for every byte of a stretch
  Buffer<std::uint32_t> others_;   // which of them are no delimiters; the last item is larger than all
  std::size_t size_ = 0, at_ = 0;
  std::size_t other_at_ = 0;  // place in others_
  std::size_t stretch_;       // how far to look ahead; grows with the width of the table
};

}  // namespace lazylogit::io
