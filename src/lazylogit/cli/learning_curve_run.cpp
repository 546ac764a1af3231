#include "lazylogit/cli/learning_curve_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/train/learning_curve.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::cli {
namespace {

std::string table_of(const std::vector<train::CurvePoint>& curve) {
  std::string text = fmt::format("{:>12}  {:>17}  {:>17}  {:>10}\n", "rows", "training log loss",
                                 "held-out log loss", "accuracy");
  for (const train::CurvePoint& point : curve)
    text += fmt::format("{:>12}  {:>17.6f}  {:>17.6f}  {:>8.2f} %\n", grouped(point.rows),
                        point.train_log_loss, point.held_out_log_loss, 100 * point.held_out_accuracy);
  return text + "\n";
}

std::string csv_of(const std::vector<train::CurvePoint>& curve) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string text = "rows,training_log_loss,held_out_log_loss,held_out_accuracy\n";
  for (const train::CurvePoint& point : curve)
    text += fmt::format("{},{},{},{}\n", point.rows, number(point.train_log_loss),
                        number(point.held_out_log_loss), number(point.held_out_accuracy));
  return text;
}

}  // namespace

std::unique_ptr<OutputFile> plan_learning_curve(const std::string& value,
                                                const std::vector<std::string>& inputs,
                                                const std::vector<std::string>& outputs,
                                                const train::TrainOptions& options, bool has_holdout) {
  if (train::response_of(options) != data::Response::classes)
    throw ConfigError("it is for labels that are classes", "learning-curve");
  if (options.kernel != "none" && !has_holdout)
    throw ConfigError("the kernel compares with rows that would judge it", "learning-curve",
                      "add --holdout 0.2");
  if (value == curve_table) return nullptr;
  refuse_output_equal_to_input(value, inputs, "learning-curve");
  if (std::count(outputs.begin(), outputs.end(), value) > 0)
    throw ConfigError("another output goes to the same file", "learning-curve");
  return std::make_unique<OutputFile>(value);
}

std::string run_learning_curve(const data::Dataset& data, const data::Rows* held_out,
                               const train::TrainOptions& options, OutputFile* csv, Session& session) {
  session.console.set_phase("learning curve");
  std::optional<data::Dataset> rest;
  std::optional<data::Rows> fifth;
  if (held_out == nullptr) {
    rest = data;
    fifth = data::take_holdout(*rest, 0.2, options.seed);
    session.console.notice(
        fmt::format("learning curve: {} of {} rows, drawn by --seed, are held out to judge it; the model "
                    "itself learns from all "
                    "(--holdout chooses)",
                    grouped(fifth->num_rows()), grouped(data.num_rows())));
  }
  const std::vector<train::CurvePoint> curve = train::learning_curve(
      rest ? *rest : data, options, fifth ? *fifth : *held_out,
      [&](const train::CurvePoint& point) {
        session.console.notice(
            fmt::format("{} rows: held-out log loss {:.6g}", grouped(point.rows), point.held_out_log_loss));
      },
      session.cancel);
  if (csv != nullptr) {
    csv->write(csv_of(curve));
    csv->commit();
  }
  return table_of(curve);
}

}  // namespace lazylogit::cli
