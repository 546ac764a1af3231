#include "lazylogit/cli/stream_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/progress_text.hpp"

namespace lazylogit::cli {

std::string StreamLines::summary(const optim::ProgressiveLoss& progressive) const {
  const auto recent = progressive.window();
  if (numbers_)
    return fmt::format("RMSE {:.6g}, of the last {} rows {:.6g}", std::sqrt(2 * progressive.all().log_loss()),
                       grouped(progressive.window_size()), std::sqrt(2 * recent.log_loss()));
  return fmt::format("log loss {:.6g}, of the last {} rows {:.6g}; accuracy {:.2f} %, {:.2f} %",
                     progressive.all().log_loss(), grouped(progressive.window_size()), recent.log_loss(),
                     100 * progressive.all().accuracy(), 100 * recent.accuracy());
}

void StreamLines::show(const optim::ProgressiveLoss& progressive) {
  while (next_ <= progressive.count()) next_ *= 2;
  const auto recent = progressive.window();
  if (numbers_) {
    const nlohmann::ordered_json event{{"event", "progressive"},
                                       {"examples", progressive.count()},
                                       {"rmse", std::sqrt(2 * progressive.all().log_loss())},
                                       {"window", progressive.window_size()},
                                       {"window_rmse", std::sqrt(2 * recent.log_loss())}};
    console_.milestone(fmt::format("rows {:>12}  {}", grouped(progressive.count()), summary(progressive)),
                       event.dump());
    return;
  }
  const nlohmann::ordered_json event{{"event", "progressive"},
                                     {"examples", progressive.count()},
                                     {"log_loss", progressive.all().log_loss()},
                                     {"accuracy", progressive.all().accuracy()},
                                     {"window", progressive.window_size()},
                                     {"window_log_loss", recent.log_loss()},
                                     {"window_accuracy", recent.accuracy()}};
  console_.milestone(fmt::format("rows {:>12}  {}", grouped(progressive.count()), summary(progressive)),
                     event.dump());
}

}  // namespace lazylogit::cli
