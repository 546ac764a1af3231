#include "lazylogit/cli/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/cli/progress_text.hpp"

namespace lazylogit::cli {

std::string TimeLeft::text() const {
  return fmt::format("{}{} left", at_most ? "<= " : "~ ", duration_text(seconds));
}

void TimeLeftOfFit::learn_gap(const optim::PassReport& report) {
  if (!report.limits.gap || !std::isfinite(report.relative_gap)) return;
  end_.reset();
  proofs_.push_back({report.seconds, report.relative_gap});
  // The last proof of the first half of the time, or the first one of all.
  auto first = std::partition_point(proofs_.begin(), proofs_.end() - 1,
                                    [&](const Proof& proof) { return proof.seconds <= report.seconds / 2; });
  if (first != proofs_.begin()) --first;
  const double elapsed = report.seconds - first->seconds;
  if (!(elapsed > 0 && report.relative_gap > 0 && report.relative_gap <= first->gap / 2)) return;
  const double rate = std::log(first->gap / report.relative_gap) / elapsed;
  end_ = report.seconds + std::max(0.0, std::log(report.relative_gap / *report.limits.gap) / rate);
}

std::optional<TimeLeft> TimeLeftOfFit::after(const optim::PassReport& report) {
  if (report.seconds < last_seconds_) *this = {};
  last_seconds_ = report.seconds;
  std::optional<TimeLeft> left;
  const auto limit = [&](double seconds) {
    if (!left || seconds < left->seconds) left = TimeLeft{std::max(0.0, seconds), true};
  };
  if (report.limits.seconds) limit(*report.limits.seconds - report.seconds);
  if (report.limits.passes > 0 && report.pass > 0 && report.seconds > 0)
    limit((static_cast<double>(report.limits.passes) - static_cast<double>(report.pass)) * report.seconds /
          static_cast<double>(report.pass));
  learn_gap(report);
  // An end that has passed was no good estimate.
  if (end_ && *end_ >= report.seconds && (!left || *end_ - report.seconds < left->seconds))
    left = TimeLeft{*end_ - report.seconds, false};
  return left;
}

}  // namespace lazylogit::cli
