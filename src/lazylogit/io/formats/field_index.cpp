#include "lazylogit/io/formats/field_index.hpp"

#include <algorithm>

#include "lazylogit/io/formats/text_marks.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t shortest_stretch = std::size_t{1} << 14, longest_stretch = std::size_t{1} << 22;
constexpr std::size_t readable_after = 16;  // marks
static_assert(readable_after <= mark_group);

}  // namespace

FieldIndex::FieldIndex(const Dialect& dialect)
    : delimiter_(dialect.delimiter), quote_(dialect.quoting ? '"' : '\n'), stretch_(shortest_stretch) {}

void FieldIndex::scan(const char* from, const char* end) {
  constexpr std::uint32_t before_all = 0xFFFFFFFF, after_all = 0xFFFFFFFF;
  base_ = from;
  marks_.resize(first_mark + stretch_ + mark_group);
  others_.resize(stretch_ + 1);
  marks_[0] = before_all;  // one less than 0, where the first record starts
  scanned_ = from + std::min<std::size_t>(stretch_, static_cast<std::size_t>(end - from));
  at_ = other_at_ = 0;
  const WrittenMarks to =
      write_marks(from, scanned_, {.below = 0, .first = delimiter_, .second = delimiter_, .other = quote_},
                  {marks_.data() + first_mark, others_.data()});
  size_ = static_cast<std::size_t>(to.marks - marks_.data()) - first_mark;
  *to.others = after_all;
  std::fill_n(to.marks, readable_after, 0U);
}

bool FieldIndex::seek(const char* record, const char* end, std::size_t num_fields) {
  if (base_ == nullptr || record < base_ || record >= scanned_) {
    scan(record, end);
  } else {
    const auto offset = static_cast<std::uint32_t>(record - base_);
    while (at_ < size_ && marks_[first_mark + at_] < offset) ++at_;
    // Not for every record anew: where marks are too far apart, that would be quadratic.
    if (size_ - at_ < num_fields && offset >= stretch_ / 2 && scanned_ < end) scan(record, end);
  }
  while (size_ - at_ < num_fields && scanned_ < end && stretch_ < longest_stretch) {
    stretch_ *= 2;
    scan(record, end);
  }
  return size_ - at_ >= num_fields;
}

}  // namespace lazylogit::io
