#include "lazylogit/cli/tuning_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/cli/csv_field.hpp"
#include "lazylogit/cli/json_number.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;
using train::TunePoint;

Json point_json(const std::string& option, const TunePoint& point) {
  Json json{{option, point.value}};
  if (!point.fold_log_loss.empty() && point.numbers) {
    json["squared_error"] = json_number(point.log_loss);
    json["squared_error_error"] = json_number(point.log_loss_error);
    json["r2"] = json_number(point.accuracy);
    json["r2_error"] = json_number(point.accuracy_error);
  } else if (!point.fold_log_loss.empty()) {
    json["log_loss"] = json_number(point.log_loss);
    json["log_loss_error"] = json_number(point.log_loss_error);
    json["accuracy"] = json_number(point.accuracy);
    json["accuracy_error"] = json_number(point.accuracy_error);
  }
  if (point.log_evidence) json["log_evidence"] = json_number(*point.log_evidence);
  if (point.features) json["features"] = *point.features;
  return json;
}

// A line per group, widest prior first.
std::string groups_text(const train::Tuning& tuning) {
  std::vector<const train::GroupWidth*> order;
  std::size_t width = 5;
  for (const train::GroupWidth& group : tuning.groups) {
    order.push_back(&group);
    width = std::max(width, std::min<std::size_t>(40, printable(group.name).size()));
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->value > b->value; });
  const bool effective = std::isfinite(tuning.groups.front().effective_parameters);
  std::string text = fmt::format("{:<{}}  {:>8}  {:>12}", "group", width, "features", tuning.option);
  if (effective) text += fmt::format("  {:>10}", "effective");
  text += '\n';
  for (const train::GroupWidth* group : order) {
    text +=
        fmt::format("{:<{}}  {:>8}  {:>12.4g}", printable(group->name), width, group->features, group->value);
    if (effective) text += fmt::format("  {:>10.2f}", group->effective_parameters);
    text += '\n';
  }
  text += fmt::format("log evidence {:.6f} with one {} per group, {:.6f} with one for all\n\n",
                      tuning.group_log_evidence.back(), tuning.option, tuning.group_log_evidence.front());
  return text;
}

Json groups_json(const train::Tuning& tuning) {
  Json groups = Json::array();
  for (const train::GroupWidth& group : tuning.groups) {
    Json json{{"group", group.name}, {"features", group.features}, {tuning.option, group.value}};
    if (std::isfinite(group.effective_parameters)) json["effective_parameters"] = group.effective_parameters;
    groups.push_back(std::move(json));
  }
  return groups;
}

}  // namespace

std::string point_line(const std::string& option, const TunePoint& point, std::size_t done, std::size_t of) {
  std::string line = fmt::format("{}/{}  {} {:.4g}", done, of, option, point.value);
  if (!point.fold_log_loss.empty() && point.numbers)
    line += fmt::format("  held-out squared error {:.6g}  R2 {:.4f}", point.log_loss, point.accuracy);
  else if (!point.fold_log_loss.empty())
    line += fmt::format("  held-out loss {:.5f}  accuracy {:.2f} %", point.log_loss, 100 * point.accuracy);
  if (point.log_evidence) line += fmt::format("  log evidence {:.6g}", *point.log_evidence);
  if (point.features) line += fmt::format("  features {}", *point.features);
  return line;
}

std::string point_event(const std::string& option, const TunePoint& point, std::size_t done, std::size_t of) {
  Json event{{"event", "tuned"}, {"done", done}, {"of", of}};
  event.update(point_json(option, point));
  return event.dump();
}

std::string group_step_line(std::size_t step, double log_evidence) {
  return fmt::format("groups, step {}  log evidence {:.6g}", step, log_evidence);
}

std::string group_step_event(std::size_t step, double log_evidence) {
  return Json{{"event", "groups"}, {"step", step}, {"log_evidence", json_number(log_evidence)}}.dump();
}

std::string tuning_text(const train::Tuning& tuning) {
  constexpr std::size_t around = 5;
  const std::size_t low = std::min(tuning.best, tuning.chosen), high = std::max(tuning.best, tuning.chosen);
  const std::size_t first = low > around ? low - around : 0;
  const std::size_t last = std::min(tuning.points.size(), high + around + 1);
  const TunePoint& sample = tuning.points.front();
  const bool folds = !sample.fold_log_loss.empty();
  std::string text = fmt::format("{:>12}", tuning.option);
  if (folds)
    text += fmt::format("  {:>21}  {:>17}", sample.numbers ? "held-out squared error" : "held-out log loss",
                        sample.numbers ? "R2" : "accuracy");
  if (sample.log_evidence) text += fmt::format("  {:>14}", "log evidence");
  if (sample.features) text += fmt::format("  {:>8}", "features");
  text += '\n';
  for (std::size_t k = first; k < last; ++k) {
    const TunePoint& point = tuning.points[k];
    text += fmt::format("{:>12.4g}", point.value);
    if (folds && point.numbers)
      text += fmt::format("  {:>10.6g} ± {:<9.3g}  {:>7.4f} ± {:<7.4f}", point.log_loss, point.log_loss_error,
                          point.accuracy, point.accuracy_error);
    else if (folds)
      text += fmt::format("  {:>10.5f} ± {:<8.5f}  {:>7.2f} ± {:<5.2f} %", point.log_loss,
                          point.log_loss_error, 100 * point.accuracy, 100 * point.accuracy_error);
    if (point.log_evidence) text += fmt::format("  {:>14.6f}", *point.log_evidence);
    if (point.features) text += fmt::format("  {:>8}", *point.features);
    if (k == tuning.chosen)
      text += tuning.groups.empty() ? "  <- chosen" : "  <- best for all";
    else if (k == tuning.best)
      text += "  <- best";
    text += '\n';
  }
  const std::size_t shown = last - first;
  text += fmt::format("{} of {} values shown{}\n\n", shown, tuning.points.size(),
                      tuning.ended_early ? "; the path was left when the held-out loss kept rising" : "");
  return tuning.groups.empty() ? text : text + groups_text(tuning);
}

std::string tuning_json(const train::Tuning& tuning, const train::TrainResult& result) {
  Json document{{"option", tuning.option},
                {"chosen", tuning.groups.empty() ? Json(tuning.points[tuning.chosen].value) : Json(nullptr)},
                {"best", tuning.points[tuning.best].value},
                {"ended_early", tuning.ended_early},
                {"points", Json::array()}};
  for (const TunePoint& point : tuning.points) {
    Json json = point_json(tuning.option, point);
    if (!point.fold_log_loss.empty()) {
      json[point.numbers ? "fold_squared_error" : "fold_log_loss"] = point.fold_log_loss;
      json[point.numbers ? "fold_r2" : "fold_accuracy"] = point.fold_accuracy;
    }
    document["points"].push_back(std::move(json));
  }
  if (!tuning.groups.empty()) {
    document["groups"] = groups_json(tuning);
    document["log_evidence"] = tuning.group_log_evidence.back();
    document["group_log_evidence"] = tuning.group_log_evidence;
  }
  const model::TrainingRecord& record = result.model.record;
  Json fit{{"optimizer", record.optimizer},
           {"termination", record.termination},
           {"error", json_number(record.penalty - record.log_likelihood)}};
  fit["relative_gap"] = record.certificate && record.certificate->relative_gap
                            ? json_number(*record.certificate->relative_gap)
                            : Json(nullptr);
  document["fit"] = std::move(fit);
  return document.dump(2) + '\n';
}

std::string tuning_trace(const train::Tuning& tuning) {
  std::string text = tuning.option + ",fold,log_loss,accuracy,log_evidence,features,chosen\n";
  for (std::size_t k = 0; k < tuning.points.size(); ++k) {
    const TunePoint& point = tuning.points[k];
    const std::string rest =
        fmt::format("{},{},{}", point.log_evidence ? csv_number(*point.log_evidence) : "",
                    point.features ? std::to_string(*point.features) : "",
                    k == tuning.chosen && tuning.groups.empty() ? 1 : 0);
    text += fmt::format("{},mean,{},{},{}\n", point.value, csv_number(point.log_loss),
                        csv_number(point.accuracy), rest);
    for (std::size_t f = 0; f < point.fold_log_loss.size(); ++f)
      text += fmt::format("{},{},{},{},{}\n", point.value, f + 1, csv_number(point.fold_log_loss[f]),
                          csv_number(point.fold_accuracy[f]), rest);
  }
  return text;
}

}  // namespace lazylogit::cli
