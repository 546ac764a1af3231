#include "lazylogit/cli/learning_curve_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/train/learning_curve.hpp"

namespace lazylogit::cli {
namespace {

// What the two losses and the score are called, by what labels are.
struct Words {
  const char *examples, *loss, *score;
  const char *loss_column, *score_column;
};

Words words_of(const data::Dataset& data) {
  if (!data.choice_ends.empty()) return {"choices", "log loss", "accuracy", "log_loss", "accuracy"};
  switch (data.input.response) {
    case data::Response::number:
      return {"rows", "MSE", "R²", "mse", "r2"};
    case data::Response::labels:
      return {"rows", "log loss", "right labels", "log_loss", "label_accuracy"};
    case data::Response::classes:
      break;
  }
  return {"rows", "log loss", "accuracy", "log_loss", "accuracy"};
}

std::string table_of(const std::vector<train::CurvePoint>& curve, const Words& words) {
  const bool share = std::string_view(words.score_column) != "r2";
  std::string text =
      fmt::format("{:>12}  {:>17}  {:>17}  {:>12}\n", words.examples, fmt::format("training {}", words.loss),
                  fmt::format("held-out {}", words.loss), words.score);
  for (const train::CurvePoint& point : curve)
    text += fmt::format(
        "{:>12}  {:>17}  {:>17}  {:>12}\n", grouped(point.rows),
        share ? fmt::format("{:.6f}", point.train_loss) : fmt::format("{:.6g}", point.train_loss),
        share ? fmt::format("{:.6f}", point.held_out_loss) : fmt::format("{:.6g}", point.held_out_loss),
        share ? fmt::format("{:.2f} %", 100 * point.held_out_score)
              : fmt::format("{:.6f}", point.held_out_score));
  return text + "\n";
}

std::string csv_of(const std::vector<train::CurvePoint>& curve, const Words& words) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string text = fmt::format("{},training_{},held_out_{},held_out_{}\n", words.examples,
                                 words.loss_column, words.loss_column, words.score_column);
  for (const train::CurvePoint& point : curve)
    text += fmt::format("{},{},{},{}\n", point.rows, number(point.train_loss), number(point.held_out_loss),
                        number(point.held_out_score));
  return text;
}

}  // namespace

std::unique_ptr<OutputFile> plan_learning_curve(const std::string& value, const train::TrainOptions& options,
                                                bool has_holdout) {
  if (options.kernel != "none" && !has_holdout)
    throw ConfigError("the kernel compares with rows that would judge it", "learning-curve",
                      "add --holdout 0.2");
  if (value == curve_table) return nullptr;
  return std::make_unique<OutputFile>(value);
}

std::string run_learning_curve(const data::Dataset& data, const data::Rows* held_out,
                               const train::TrainOptions& options, OutputFile* csv, Session& session) {
  session.console.set_phase("learning curve");
  const Words words = words_of(data);
  std::optional<data::Dataset> rest;
  std::optional<data::Rows> fifth;
  if (held_out == nullptr) {
    rest = data;
    fifth = data::take_holdout(*rest, 0.2, options.seed);
    const bool choices = !data.choice_ends.empty();
    session.console.notice(
        fmt::format("learning curve: {} of {} {}, drawn by --seed, are held out to judge it; the model "
                    "itself learns from "
                    "all (--holdout chooses)",
                    grouped(choices ? fifth->choice_ends.size() : fifth->num_rows()),
                    grouped(choices ? data.choice_ends.size() : data.num_rows()), words.examples));
  }
  const std::vector<train::CurvePoint> curve = train::learning_curve(
      rest ? *rest : data, options, fifth ? *fifth : *held_out,
      [&](const train::CurvePoint& point) {
        session.console.notice(fmt::format("{} {}: held-out {} {:.6g}", grouped(point.rows), words.examples,
                                           words.loss, point.held_out_loss));
      },
      session.cancel);
  if (csv != nullptr) {
    csv->write(csv_of(curve, words));
    csv->commit();
  }
  return table_of(curve, words);
}

}  // namespace lazylogit::cli
