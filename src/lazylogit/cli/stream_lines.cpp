#include "lazylogit/cli/stream_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/progress_text.hpp"

namespace lazylogit::cli {

std::string StreamLines::summary(const optim::ProgressiveLoss& progressive) const {
  const auto recent = progressive.window();
  if (response_ == data::Response::number)
    return fmt::format("RMSE {:.6g}, of the last {} {} {:.6g}", std::sqrt(2 * progressive.all().log_loss()),
                       grouped(progressive.window_size()), plural(progressive.window_size(), noun_),
                       std::sqrt(2 * recent.log_loss()));
  return fmt::format("log loss {:.6g}, of the last {} {} {:.6g}; {} {:.2f} %, {:.2f} %",
                     progressive.all().log_loss(), grouped(progressive.window_size()),
                     plural(progressive.window_size(), noun_), recent.log_loss(),
                     response_ == data::Response::labels ? "all labels right" : "accuracy",
                     100 * progressive.all().accuracy(), 100 * recent.accuracy());
}

void StreamLines::show(const optim::ProgressiveLoss& progressive) {
  while (next_ <= progressive.count()) next_ *= 2;
  const auto recent = progressive.window();
  if (response_ == data::Response::number) {
    const nlohmann::ordered_json event{{"event", "progressive"},
                                       {"examples", progressive.count()},
                                       {"rmse", std::sqrt(2 * progressive.all().log_loss())},
                                       {"window", progressive.window_size()},
                                       {"window_rmse", std::sqrt(2 * recent.log_loss())}};
    console_.milestone(fmt::format("{} {:>12}  {}", plural(progressive.count(), noun_),
                                   grouped(progressive.count()), summary(progressive)),
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
  console_.milestone(fmt::format("{} {:>12}  {}", plural(progressive.count(), noun_),
                                 grouped(progressive.count()), summary(progressive)),
                     event.dump());
}

}  // namespace lazylogit::cli
