// The trace of a fit as csv: a line for each evaluation of the error, for plotting.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::cli {

std::string trace_header();
std::string trace_line(std::string_view optimizer, const optim::PassReport& report, double cpu_seconds,
                       double relative_gap);

// Writes down what an optimizer reports, and hands it on.
class TraceRecorder final : public optim::Observer {
 public:
  TraceRecorder(std::string optimizer, optim::Observer& next);
  void on_pass(const optim::PassReport& report) override;
  void on_trial(const optim::PassReport& report) override;
  const std::string& text() const noexcept { return text_; }

 private:
  void write(const optim::PassReport& report);

  std::string optimizer_;
  optim::Observer& next_;
  std::string text_;
  double began_;
};

}  // namespace lazylogit::cli
