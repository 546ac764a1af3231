#include "lazylogit/io/formats/pair_index.hpp"

#include <algorithm>

#include "lazylogit/io/formats/text_marks.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t stretch = std::size_t{1} << 14;
constexpr std::uint32_t after_all = 0xFFFFFFFF;

}  // namespace

PairIndex::PairIndex() {
  marks_.resize(stretch + mark_group);
  others_.resize(stretch + 1);
}

void PairIndex::scan(const char* from, const char* end) noexcept {
  base_ = from;
  scanned_ = from + std::min<std::size_t>(stretch, static_cast<std::size_t>(end - from));
  const WrittenMarks to =
      write_marks(from, scanned_, {.below = ' ' + 1, .first = ':', .second = ':', .other = '|'},
                  {marks_.data(), others_.data()});
  *to.marks = *to.others = after_all;
  size_ = static_cast<std::size_t>(to.marks - marks_.data());
  at_ = other_at_ = 0;
}

PairMarks PairIndex::from(const char* at, const char* end) noexcept {
  if (base_ == nullptr || at >= scanned_) scan(at, end);
  for (;;) {
    const auto offset = static_cast<std::uint32_t>(at > base_ ? at - base_ : 0);
    while (marks_[at_] < offset) ++at_;
    while (others_[other_at_] < at_) ++other_at_;
    const std::uint32_t other = others_[other_at_];
    if (at_ == size_ && scanned_ < end)
      scan(scanned_, end);
    else if (other == after_all && scanned_ < end &&
             offset >= stretch / 2)  // not for every token of a long line anew
      scan(at, end);
    else
      return {base_, marks_.data() + at_, std::min<std::size_t>(other + std::size_t{1}, size_) - at_};
  }
}

bool LineMarks::go_on() noexcept {
  if (marks_.count == 0) return false;
  const char* const last = marks_.base + marks_.marks[marks_.count - 1];
  if (last >= end_) return false;
  index_->skip(marks_.count);
  marks_ = index_->from(last + 1, text_end_);
  at_ = 0;
  return marks_.count > 0;
}

}  // namespace lazylogit::io
