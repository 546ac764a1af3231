#include "lazylogit/io/formats/other_format.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace lazylogit::io {

const FormatEntry* other_format(std::string_view prefix, const FormatEntry& taken) {
  constexpr int sure = 60, apart = 10;
  const FormatEntry* best = nullptr;
  int best_score = 0, second_score = 0;
  for (const FormatEntry& entry : format_catalog()) {
    const int score = entry.format == taken.format ? 0 : entry.sniff(prefix);
    if (score > best_score) {
      second_score = std::exchange(best_score, score);
      best = &entry;
    } else {
      second_score = std::max(second_score, score);
    }
  }
  return best_score >= sure && best_score - second_score >= apart ? best : nullptr;
}

InputError with_format_hint(const InputError& error, const FormatEntry& taken, const Limits& limits) {
  constexpr std::uint64_t first_lines = 2;  // of a table the first row is the second line
  const ErrorDetail& detail = error.detail();
  if (detail.line == 0 || detail.line > first_lines) return error;
  // Bytes that no text format takes.
  for (const std::string_view code : {"bad-utf8", "control-character", "stray-byte-order-mark"})
    if (detail.code == code) return error;
  try {
    Input again(detail.file, limits);
    if (again.size() == 0) return error;  // no file, or a pipe
    const std::string_view prefix = again.peek();
    if (taken.sniff(prefix) > 0) return error;
    const FormatEntry* const other = other_format(prefix, taken);
    if (other == nullptr) return error;
    ErrorDetail hinted = detail;
    hinted.hint =
        "the content looks like " + std::string(other->name) + ": --format " + std::string(other->name);
    return InputError(std::move(hinted), error.more());
  } catch (const Error&) {  // it has gone, or cannot be expanded
    return error;
  }
}

namespace {

class HintingSource final : public RowSource {
 public:
  HintingSource(std::unique_ptr<RowSource> source, const FormatEntry& taken, const Limits& limits)
      : source_(std::move(source)), taken_(&taken), limits_(limits) {}
  bool next(data::Rows& rows) override {
    try {
      return source_->next(rows);
    } catch (const InputError& error) {
      throw with_format_hint(error, *taken_, limits_);
    }
  }
  const ReadSummary& summary() const override { return source_->summary(); }

 private:
  std::unique_ptr<RowSource> source_;
  const FormatEntry* taken_;
  Limits limits_;
};

}  // namespace

std::unique_ptr<RowSource> hinting_at_format(std::unique_ptr<RowSource> source, const FormatEntry& taken,
                                             const Limits& limits) {
  return std::make_unique<HintingSource>(std::move(source), taken, limits);
}

}  // namespace lazylogit::io
