// Everything the program says on standard error: errors, warnings, notices, progress.
//
// As text, or with `json` one JSON object per line and event. Warnings with the same text are shown once, of
// one kind (code) at most five; `finish` says how many more there were. With `strict` a warning is thrown as
// an Error. Notices and progress are left out when `quiet`. Progress of anything is shown after half a second
// on a terminal (one live line), after two seconds elsewhere (a plain line now and then); where nothing reports
// progress, beat() says what is being done and for how long. Failures to write to standard error are ignored.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "lazylogit/base/log.hpp"
#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::cli {

struct ConsoleStyle {
  bool quiet = false;
  bool json_events = false;  // --log json
  bool json_errors = false;  // --json-errors: errors and warnings alone
  bool strict = false;
};

class Console final : public Log {
 public:
  explicit Console(ConsoleStyle style);
  void set_style(ConsoleStyle style) { style_ = style; }
  // What warnings about the data are about that name no file: those of a fit, which knows rows alone.
  void set_data_name(std::string name) { data_name_ = std::move(name); }

  void warning(const ErrorDetail& detail) override;
  void notice(std::string_view sentence) override;
  void progress(const Progress& progress) override;
  void error(const ErrorDetail& detail);
  // One pass of training; `line` makes its text for so many columns, `event` is the same as a JSON object.
  void pass(const std::function<std::string(std::size_t width)>& line, const std::string& event);
  void pass(const std::string& line, const std::string& event) {  // cut where it is too long
    pass([&](std::size_t width) { return line.substr(0, width); }, event);
  }
  // A line that is worth keeping whatever the time; `event` as above.
  void milestone(const std::string& line, const std::string& event);
  // What is being done from now on, in one word: "reading", "training", "checking".
  void set_phase(std::string_view phase);
  // Called now and then from another thread: shows the phase and its time when nothing else was shown for a while.
  void beat();
  // Removes the live line and tells how many warnings were held back.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::string_view line);
  void show_live(const std::string& line);
  void clear_live();
  bool json() const noexcept { return style_.json_events || style_.json_errors; }

  ConsoleStyle style_;
  std::string data_name_;
  bool terminal_;
  bool live_ = false;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> seen_texts_, seen_codes_;
  std::map<std::string, std::uint64_t> held_back_;  // by code
  std::string phase_;                               // of progress()
  std::uint64_t phase_done_ = 0;
  Clock::time_point phase_start_{}, last_shown_{}, last_kept_{};
  std::string work_;  // of set_phase()
  Clock::time_point work_start_ = Clock::now(), last_sign_ = work_start_;
  bool beaten_ = false;  // the last sign was a beat
};

}  // namespace lazylogit::cli
