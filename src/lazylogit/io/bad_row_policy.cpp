#include <algorithm>
#include <set>
#include <string>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/io/dataset_builder.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t shown_skips = 5;

}  // namespace

// What was said already: blocks repeat notices, users should not hear them twice.
struct BadRowPolicy::Said {
  std::set<std::string> sentences;
  std::size_t skips = 0;
  std::set<std::string> files;  // with rows that were skipped
};

BadRowPolicy::BadRowPolicy(const ReadOptions& options, Log& log)
    : options_(&options), log_(&log), said_(std::make_unique<Said>()) {}
BadRowPolicy::~BadRowPolicy() = default;

void BadRowPolicy::take(RowBlock& block) {
  for (const std::string& sentence : block.notices)
    if (said_->sentences.insert(sentence).second) log_->notice(sentence);
  for (const ErrorDetail& warning : block.warnings)
    if (said_->sentences.insert(warning.message).second) log_->warning(warning);
  if (block.bad_rows == 0) return;
  for (const ErrorDetail& error :
       block.errors)  // a limit is no bad row: it stops the run whatever the policy
    if (error.kind == ErrorKind::environment && (options_->skip_bad_rows || collected_.empty()))
      throw LimitError(error);
  const std::uint64_t before = bad_rows_;
  bad_rows_ += block.bad_rows;
  if (!options_->skip_bad_rows) {
    for (ErrorDetail& error : block.errors) {
      if (collected_.size() == std::max<std::uint64_t>(1, options_->max_errors)) break;
      collected_.push_back(std::move(error));
    }
    if (collected_.size() >= options_->max_errors) finish();
    return;
  }
  for (const ErrorDetail& error : block.errors) {
    said_->files.insert(error.file);
    if (said_->skips == shown_skips) break;
    ++said_->skips;
    ErrorDetail shown = error;
    shown.message = "row skipped: " + shown.message;
    log_->warning(shown);
  }
  if (options_->max_bad_rows && bad_rows_ > *options_->max_bad_rows) {
    const std::uint64_t which =
        std::min<std::uint64_t>(*options_->max_bad_rows - before, block.errors.size() - 1);
    ErrorDetail error = block.errors[which];
    error.message =
        "more than " + counted(*options_->max_bad_rows, "bad row") + "; this one: " + error.message;
    error.hint = "see --max-bad-rows";
    throw InputError(std::move(error));
  }
}

void BadRowPolicy::finish() {
  if (!collected_.empty()) {
    ErrorDetail first = std::move(collected_.front());
    collected_.erase(collected_.begin());
    throw InputError(std::move(first), std::move(collected_));
  }
  if (bad_rows_ == 0) return;
  // A warning as the rows themselves are: --quiet must not leave a handful of them look like all.
  std::string text = counted(bad_rows_, "bad row") + " skipped";
  if (bad_rows_ > said_->skips) text += ", the first " + std::to_string(said_->skips) + " named above";
  log_->warning({.kind = ErrorKind::input,
                 .message = std::move(text),
                 .file = said_->files.size() == 1 ? *said_->files.begin() : std::string(),
                 .code = "bad-rows-skipped"});
}

}  // namespace lazylogit::io
