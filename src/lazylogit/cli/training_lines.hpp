// Shows each pass of a fit on the console: error, certified gap, held-out loss, rate.
#pragma once

#include <cstdint>

#include "lazylogit/cli/console.hpp"
#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::cli {

class TrainingLines final : public optim::Observer {
 public:
  TrainingLines(Console& console, std::uint64_t num_rows) : console_(console), num_rows_(num_rows) {}
  void on_pass(const optim::PassReport& report) override;

 private:
  Console& console_;
  std::uint64_t num_rows_;
};

}  // namespace lazylogit::cli
