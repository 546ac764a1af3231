// Progressive validation as it is shown: a line when the number of rows has doubled, on a terminal also a live one.
#pragma once

#include <cstdint>
#include <string>

#include "lazylogit/cli/console.hpp"
#include "lazylogit/train/stream_trainer.hpp"

namespace lazylogit::cli {

class StreamLines {
 public:
  // Of numbers losses are half their squared errors; `choices`: examples are choices, not rows.
  StreamLines(Console& console, data::Response response, bool choices)
      : console_(console), response_(response), noun_(choices ? "choice" : "row") {}
  // After each row; cheap where no line is due.
  void row(const optim::ProgressiveLoss& progressive) {
    if (progressive.count() >= next_) show(progressive);
  }
  // "log loss 0.4512, of the last 10,000 rows 0.4401; accuracy 78.13 %, 78.90 %"
  std::string summary(const optim::ProgressiveLoss& progressive) const;

 private:
  void show(const optim::ProgressiveLoss& progressive);

  Console& console_;
  data::Response response_;
  const char* noun_;
  std::uint64_t next_ = 1024;
};

}  // namespace lazylogit::cli
