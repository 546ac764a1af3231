#include "lazylogit/cli/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "lazylogit/cli/json_number.hpp"
#include "lazylogit/cli/trace_text.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;
using train::Contestant;
using train::Evaluated;

constexpr std::array gaps{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};

std::string name_of(const Contestant& contestant) {
  return contestant.asked == contestant.optimizer
             ? contestant.asked
             : fmt::format("{} ({})", contestant.asked, contestant.optimizer);
}

std::size_t name_width(const train::Comparison& comparison) {
  std::size_t width = 9;
  for (const Contestant& c : comparison.contestants) width = std::max(width, name_of(c).size());
  return width;
}

std::string short_number(double value) {
  return value < 9.995 ? fmt::format("{:.3f}", value) : fmt::format("{:.1f}", value);
}

// One line per optimizer, one column per gap; `cell` says what stands there.
template <class Cell>
std::string gap_table(const train::Comparison& comparison, std::string_view title, const Cell& cell) {
  const std::size_t width = name_width(comparison);
  std::string text = fmt::format("{:<{}}", title, width);
  for (const double gap : gaps) text += fmt::format(" {:>7.0e}", gap);
  text += '\n';
  for (const Contestant& c : comparison.contestants) {
    text += fmt::format("{:<{}}", name_of(c), width);
    for (const double gap : gaps) {
      const Evaluated* line = c.reached(gap);
      text += fmt::format(" {:>7}", line == nullptr ? "-" : cell(*line));
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string comparison_text(const train::Comparison& comparison, bool held_out) {
  std::string text =
      gap_table(comparison, "seconds", [](const Evaluated& e) { return short_number(e.report.seconds); });
  text +=
      '\n' + gap_table(comparison, "cpu s", [](const Evaluated& e) { return short_number(e.cpu_seconds); });
  text += '\n' +
          gap_table(comparison, "passes", [](const Evaluated& e) { return std::to_string(e.report.pass); });
  const std::size_t width = name_width(comparison);
  text += fmt::format("\n{:<{}} {:>8} {:>7} {:>15} {:>8} {:>9}  {}\n", "at the end", width, "seconds",
                      "passes", "error", "gap",
                      held_out             ? "held out"
                      : comparison.numbers ? "R2 in %"
                                           : "accuracy",
                      "ended by");
  for (const Contestant& c : comparison.contestants)
    text += fmt::format("{:<{}} {:>8} {:>7} {:>15.8g} {:>8.1e} {:>7.2f} %  {}\n", name_of(c), width,
                        short_number(c.seconds), c.passes, c.error, c.gap, 100 * c.accuracy, c.termination);
  text += comparison.proved
              ? fmt::format("\nThe optimum is proved to be at least {:.10g}; gaps are relative to it.\n",
                            comparison.lower_bound)
              : fmt::format("\n{}; gaps are relative to the lowest error found, {:.10g}.\n",
                            comparison.constrained ? "Certificates know nothing of --bounds and --max-norm"
                                                   : "No lower bound is proved",
                            comparison.lower_bound);
  return text;
}

std::string comparison_json(const train::Comparison& comparison, bool held_out) {
  Json document{{"lower_bound", json_number(comparison.lower_bound)},
                {"proved", comparison.proved},
                {"accuracy_on", held_out ? "held-out rows" : "training rows"},
                {"optimizers", Json::array()}};
  for (const Contestant& c : comparison.contestants) {
    Json reached = Json::array();
    for (const double gap : gaps)
      if (const Evaluated* line = c.reached(gap))
        reached.push_back({{"gap", gap},
                           {"seconds", line->report.seconds},
                           {"cpu_seconds", line->cpu_seconds},
                           {"passes", line->report.pass}});
    document["optimizers"].push_back({{"asked", c.asked},
                                      {"optimizer", c.optimizer},
                                      {"reason", c.reason.empty() ? Json(nullptr) : Json(c.reason)},
                                      {"termination", c.termination},
                                      {"message", c.message},
                                      {"seconds", c.seconds},
                                      {"cpu_seconds", c.cpu_seconds},
                                      {"passes", c.passes},
                                      {"error", json_number(c.error)},
                                      {"relative_gap", json_number(c.gap)},
                                      {comparison.numbers ? "r2" : "accuracy", json_number(c.accuracy)},
                                      {"reached", std::move(reached)}});
  }
  return document.dump(2) + '\n';
}

std::string comparison_trace(const train::Comparison& comparison) {
  std::string text = trace_header();
  for (const Contestant& c : comparison.contestants)
    for (const Evaluated& e : c.trace) text += trace_line(c.asked, e.report, e.cpu_seconds, e.gap);
  return text;
}

}  // namespace lazylogit::cli
