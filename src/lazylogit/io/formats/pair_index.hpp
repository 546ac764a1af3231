// Where the tokens of lines of pairs (`key:value key:value`) end: blanks, colons, bars and line ends of a stretch of text.
//
// Lines are walked in order. The text must be followed by 64 readable bytes (blocks are).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "lazylogit/base/buffer.hpp"

namespace lazylogit::io {

// Marks that follow each other, counted in bytes from `base`.
struct PairMarks {
  const char* base;
  const std::uint32_t* marks;
  std::size_t count;
};

class PairIndex {
 public:
  PairIndex();
  // The marks at and after `at`, up to the next bar or line end; fewer where that is beyond the stretch, none where the text has no more.
  // `end` is that of the text. A later call is not about an earlier place.
  PairMarks from(const char* at, const char* end) noexcept;
  // Past so many of the marks that from() gave.
  void skip(std::size_t marks) noexcept { at_ += marks; }

 private:
  void scan(const char* from, const char* end) noexcept;

  const char* base_ = nullptr;
  const char* scanned_ = nullptr;  // up to here
  Buffer<std::uint32_t> marks_;    // offsets from base_; after the last, one that is larger than all
  Buffer<std::uint32_t> others_;   // which of them are bars or line ends; likewise
  std::size_t size_ = 0, at_ = 0, other_at_ = 0;
};

// The marks of one line, one after another.
class LineMarks {
 public:
  // The line is within a text that ends at `text_end`.
  LineMarks(PairIndex& index, std::string_view line, const char* text_end) noexcept
      : index_(&index), end_(line.data() + line.size()), text_end_(text_end) {
    marks_ = index.from(line.data(), text_end);
  }
  LineMarks(const LineMarks&) = delete;
  LineMarks& operator=(const LineMarks&) = delete;
  ~LineMarks() { index_->skip(at_); }

  // The end of the line when there is none.
  const char* next() noexcept {
    if (at_ == marks_.count && !go_on()) return end_;
    return std::min(marks_.base + marks_.marks[at_++], end_);
  }
  // The one that next() gave last and those that follow it, as far as they are known.
  PairMarks rest() const noexcept { return {marks_.base, marks_.marks + at_ - 1, marks_.count + 1 - at_}; }
  // Of rest(), so many.
  void skip(std::size_t marks) noexcept { at_ += marks; }

 private:
  bool go_on() noexcept;

  PairIndex* index_;
  const char *end_, *text_end_;
  PairMarks marks_;
  std::size_t at_ = 0;
};

}  // namespace lazylogit::io
