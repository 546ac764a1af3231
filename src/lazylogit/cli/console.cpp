#include "lazylogit/cli/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/cli/error_json.hpp"
#include "lazylogit/cli/progress_text.hpp"

namespace lazylogit::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto live_delay = 500ms, plain_delay = 2000ms;        // before the first sign of progress
constexpr auto live_interval = 100ms, plain_interval = 5000ms;  // between two
constexpr std::uint64_t shown_per_code = 5;

std::size_t terminal_width() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

}  // namespace

Console::Console(ConsoleStyle style) : style_(style), terminal_(isatty(STDERR_FILENO) == 1) {}

void Console::print(std::string_view line) {
  clear_live();
  last_sign_ = Clock::now();
  beaten_ = false;
  std::string bytes(line);
  bytes += '\n';
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Console::show_live(const std::string& line) {
  last_sign_ = Clock::now();
  beaten_ = false;
  const std::string text = "\r\x1b[K" + line;
  live_ = write(STDERR_FILENO, text.data(), text.size()) > 0;
}

void Console::clear_live() {
  if (!live_) return;
  live_ = false;
  if (write(STDERR_FILENO, "\r\x1b[K", 4) < 0) return;
}

void Console::error(const ErrorDetail& detail) {
  const std::lock_guard lock(mutex_);
  print(json() ? error_json(detail, "error") : format_error(detail));
}

void Console::warning(const ErrorDetail& warned) {
  ErrorDetail detail = warned;
  if (detail.kind == ErrorKind::input && detail.file.empty() && detail.option.empty())
    detail.file = data_name_;
  if (style_.strict) {
    ErrorDetail error = detail;
    if (error.kind == ErrorKind::internal) error.kind = ErrorKind::input;
    throw Error(std::move(error));
  }
  const std::lock_guard lock(mutex_);
  const std::string text = format_error(detail, "warning");
  const bool repeated = ++seen_texts_[text] > 1;
  const bool many = !detail.code.empty() && ++seen_codes_[detail.code] > shown_per_code;
  if (repeated || many) {
    ++held_back_[completed(detail).code];
    return;
  }
  print(json() ? error_json(detail, "warning") : text);
}

void Console::notice(std::string_view sentence) {
  if (style_.quiet) return;
  const std::lock_guard lock(mutex_);
  print(style_.json_events ? notice_json(sentence) : printable_lines(sentence));
}

void Console::progress(const Progress& progress) {
  if (style_.quiet) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  last_sign_ = now;  // shown below as often as is due
  if (progress.phase != phase_ || progress.done < phase_done_) {
    phase_ = progress.phase;
    phase_start_ = last_shown_ = now;
  }
  phase_done_ = progress.done;
  const bool plain = style_.json_events || !terminal_;
  if (now - phase_start_ < (plain ? plain_delay : live_delay)) return;
  if (now - last_shown_ < (plain ? plain_interval : live_interval) && last_shown_ != phase_start_) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - phase_start_).count();
  if (style_.json_events)
    print(progress_json(progress, seconds));
  else if (plain)
    print(progress_text(progress, seconds));
  else
    show_live(progress_bar(progress, seconds, terminal_width()));
}

void Console::pass(const std::function<std::string(std::size_t width)>& line, const std::string& event) {
  if (style_.quiet) return;
  const std::lock_guard lock(mutex_);
  if (style_.json_events) return print(event);
  const auto now = Clock::now();
  last_sign_ = now;
  if (last_kept_ == Clock::time_point{}) last_kept_ = now;
  // Slow passes have a line each; of fast ones the live line shows the last and about one a second is kept.
  if (now - last_kept_ >= (terminal_ ? 1000ms : plain_delay)) {
    last_kept_ = now;
    print(line(terminal_ ? terminal_width() - 1 : std::string::npos));
  } else if (terminal_ && now - last_shown_ >= live_interval) {
    last_shown_ = now;
    show_live(line(terminal_width() - 1));
  }
}

void Console::milestone(const std::string& line, const std::string& event) {
  if (style_.quiet) return;
  const std::lock_guard lock(mutex_);
  print(style_.json_events ? event : line);
}

void Console::set_phase(std::string_view phase) {
  const std::lock_guard lock(mutex_);
  work_ = phase;
  work_start_ = last_sign_ = Clock::now();
  beaten_ = false;
}

void Console::beat() {
  if (style_.quiet) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const bool plain = style_.json_events || !terminal_;
  if (now - last_sign_ < (!plain ? live_delay : beaten_ ? plain_interval : plain_delay)) return;
  const double seconds = std::chrono::duration<double>(now - work_start_).count();
  const Progress progress{.phase = work_, .done = static_cast<std::uint64_t>(seconds), .unit = "seconds"};
  if (style_.json_events)
    print(progress_json(progress, seconds));
  else if (plain)
    print(fmt::format("{}: {}", work_, duration_text(seconds)));
  else
    show_live(fmt::format("{}  {}", work_, duration_text(seconds)));
  beaten_ = true;
}

void Console::finish() {
  const std::lock_guard lock(mutex_);
  clear_live();
  std::uint64_t all = 0;
  for (const auto& [code, count] : held_back_) {
    all += count;
    if (json()) print(held_back_json(code, count));
  }
  if (all > 0 && !json()) print(fmt::format("warning: {} like these", counted(all, "more warning")));
  held_back_.clear();
}

}  // namespace lazylogit::cli
