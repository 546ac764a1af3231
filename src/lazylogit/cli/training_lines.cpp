#include "lazylogit/cli/training_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/cli/json_number.hpp"
#include "lazylogit/cli/progress_text.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

void TrainingLines::on_pass(const optim::PassReport& report) {
  std::string line = fmt::format("pass {:<4} error {:.8g}", report.pass, report.error);
  if (std::isfinite(report.relative_gap)) line += fmt::format("  gap {:.2e}", report.relative_gap);
  if (std::isfinite(report.holdout_log_loss))
    line += fmt::format("  held-out loss {:.5f}", report.holdout_log_loss);
  if (std::isfinite(report.learning_rate)) line += fmt::format("  rate {:.3g}", report.learning_rate);
  if (report.seconds > 0) {
    const double rows = static_cast<double>(num_rows_) * static_cast<double>(report.pass);
    line +=
        fmt::format("  {}/s  {}", amount_text(rows / report.seconds, "rows"), duration_text(report.seconds));
  }
  Json event{{"event", "pass"}, {"pass", report.pass}};
  event["error"] = json_number(report.error);
  event["online_error"] = json_number(report.online_error);
  event["relative_gap"] = json_number(report.relative_gap);
  event["gradient_norm"] = json_number(report.gradient_norm);
  event["learning_rate"] = json_number(report.learning_rate);
  event["holdout_log_loss"] = json_number(report.holdout_log_loss);
  event["seconds"] = json_number(report.seconds);
  console_.pass(line, event.dump());
}

}  // namespace lazylogit::cli
