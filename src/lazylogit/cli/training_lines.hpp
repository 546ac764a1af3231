// Shows each pass of a fit on the console: error, certified gap, held-out loss, rate, time left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lazylogit/cli/console.hpp"
#include "lazylogit/cli/time_left.hpp"
#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::cli {

// "pass 12   error 4512.25  gap 1.2e-04  held-out loss 0.45120  1.2 M rows/s  8.1 s  ~ 3.0 s left", at most `width`
// columns: where there are fewer the learning rate goes first, then the time so far, the gap, the rate, the held-out loss.
std::string training_line(const optim::PassReport& report, std::uint64_t num_rows,
                          const std::optional<TimeLeft>& left, std::size_t width);

class TrainingLines final : public optim::Observer {
 public:
  TrainingLines(Console& console, std::uint64_t num_rows) : console_(console), num_rows_(num_rows) {}
  void on_pass(const optim::PassReport& report) override;

 private:
  Console& console_;
  std::uint64_t num_rows_;
  TimeLeftOfFit time_left_;
};

}  // namespace lazylogit::cli
