#include "lazylogit/cli/training_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "lazylogit/cli/json_number.hpp"
#include "lazylogit/cli/progress_text.hpp"

namespace lazylogit::cli {

std::string training_line(const optim::PassReport& report, std::uint64_t num_rows,
                          const std::optional<TimeLeft>& left, std::size_t width) {
  struct Part {
    int rank;  // the largest is the first to go
    std::string text;
  };
  std::vector<Part> parts{{0, fmt::format("pass {:<4} error {:.8g}", report.pass, report.error)}};
  if (std::isfinite(report.relative_gap))
    parts.push_back({4, fmt::format("  gap {:.2e}", report.relative_gap)});
  if (std::isfinite(report.holdout_log_loss))
    parts.push_back({2, fmt::format("  held-out loss {:.5f}", report.holdout_log_loss)});
  if (std::isfinite(report.learning_rate))
    parts.push_back({6, fmt::format("  rate {:.3g}", report.learning_rate)});
  if (report.seconds > 0) {
    const double rows = static_cast<double>(num_rows) * static_cast<double>(report.pass);
    parts.push_back({3, fmt::format("  {}/s", amount_text(rows / report.seconds, "rows"))});
    parts.push_back({5, "  " + duration_text(report.seconds)});
  }
  if (left) parts.push_back({1, "  " + left->text()});
  for (;;) {
    std::string line;
    for (const Part& part : parts) line += part.text;
    if (line.size() <= width || parts.size() == 1) return line.substr(0, width);
    parts.erase(std::max_element(parts.begin(), parts.end(),
                                 [](const Part& a, const Part& b) { return a.rank < b.rank; }));
  }
}

void TrainingLines::on_pass(const optim::PassReport& report) {
  const std::optional<TimeLeft> left = time_left_.after(report);
  nlohmann::ordered_json event{{"event", "pass"}, {"pass", report.pass}};
  event["error"] = json_number(report.error);
  event["online_error"] = json_number(report.online_error);
  event["relative_gap"] = json_number(report.relative_gap);
  event["gradient_norm"] = json_number(report.gradient_norm);
  event["learning_rate"] = json_number(report.learning_rate);
  event["holdout_log_loss"] = json_number(report.holdout_log_loss);
  event["seconds"] = json_number(report.seconds);
  event["seconds_left"] = json_number(left ? left->seconds : optim::not_computed);
  console_.pass([&](std::size_t width) { return training_line(report, num_rows_, left, width); },
                event.dump());
}

}  // namespace lazylogit::cli
