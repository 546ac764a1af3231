// Where the marks of a stretch of text are (delimiters, blanks, line ends), found 64 bytes at a time: a parser that knows in advance
// where tokens end need not wait for one before it looks at the next.
#pragma once

#include <cstdint>

namespace lazylogit::io {

// Marks are the bytes below `below`, the two named ones, line ends and `other`; line ends and `other` are listed once more.
struct MarkSet {
  unsigned char below;
  char first, second;
  char other;
};

// Where marks were written to.
struct WrittenMarks {
  std::uint32_t* marks;   // offsets
  std::uint32_t* others;  // numbers of marks
};

inline constexpr std::size_t mark_group = 64;

// Writes where the marks of [from, end) are, counted from `from`; there is room for every byte and a group more. 64 bytes after `end`
// are readable. Returns where it stopped.
WrittenMarks write_marks(const char* from, const char* end, MarkSet wanted, WrittenMarks to);

}  // namespace lazylogit::io
