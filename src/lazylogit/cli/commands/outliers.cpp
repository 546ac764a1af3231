#include "lazylogit/cli/commands/outliers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/cli/csv_field.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/scoring_run.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/model/explain.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/train/number_outliers.hpp"
#include "lazylogit/train/outliers.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t named_features = 5, moved_coefficients = 3;

const config::Table<OutlierOptions>& outlier_fields() {
  static const config::Table<OutlierOptions> table = [] {
    config::TableBuilder<OutlierOptions> t;
    t.group("Outliers");
    t.add({.name = "top",
           .value = "N",
           .help = "rows shown, the least probable first",
           .bounds = config::at_least(1)},
          &OutlierOptions::top);
    t.add({.name = "all", .help = "show every row"}, &OutlierOptions::all);
    t.add({.name = "exact", .help = "fit again without each row instead of approximating"},
          &OutlierOptions::exact);
    t.add({.name = "folds",
           .value = "K",
           .help = "fit again without each of K parts and judge its rows",
           .bounds = config::between(2, 1000),
           .bare = "10"},
          &OutlierOptions::folds);
    t.add({.name = "seed", .value = "N", .help = "of the folds"}, &OutlierOptions::seed);
    t.add({.name = "influence", .help = "how far each row moves the coefficients, and which"},
          &OutlierOptions::influence);
    t.add({.name = "output", .value = "FORM", .help = "form of the list", .choices = {"csv", "jsonl"}},
          &OutlierOptions::form);
    return std::move(t).build();
  }();
  return table;
}

// The strongest class other than the row's own.
ClassId rival_of(ClassId label, const double* probabilities, std::size_t classes) {
  ClassId best = unknown_class;
  for (std::size_t c = 0; c < classes; ++c)
    if (static_cast<ClassId>(c) != label &&
        (best == unknown_class || probabilities[c] > probabilities[static_cast<std::size_t>(best)]))
      best = static_cast<ClassId>(c);
  return best;
}

// What is said about one row.
struct Finding {
  std::size_t row;
  std::string id, label, rival, features, moved;
  bayes::LeftOut left_out;
};

std::string moved_text(const model::Model& model, const std::vector<train::MovedCoefficient>& moved) {
  std::string text;
  for (const train::MovedCoefficient& part : moved) {
    const std::size_t stride = model.shape.stride(), vector = part.coordinate % stride;
    text += fmt::format(
        "{}{}{} {:+.3g}", text.empty() ? "" : ", ", model.feature_name(part.coordinate / stride),
        model.shape.num_vectors() > 1 ? " (" + model.classes.label(model.shape.class_of(vector)) + ")" : "",
        part.change);
  }
  return text;
}

std::string csv_record(const Finding& f, bool with_id, bool influence) {
  std::string out = fmt::format("{},", f.row + 1);
  if (with_id) out += csv_field(f.id) + ",";
  out += fmt::format("{},{},{},{}", csv_field(f.label), std::exp(f.left_out.log_probability),
                     std::exp(f.left_out.in_sample), csv_field(f.rival));
  if (influence) out += fmt::format(",{},{}", f.left_out.influence, csv_field(f.moved));
  return out + "," + csv_field(f.features) + "\n";
}

std::string json_record(const Finding& f, const std::string& id_name, bool influence) {
  Json record{{"row", f.row + 1}};
  if (!id_name.empty()) record[id_name] = f.id;
  record["label"] = f.label;
  record["probability"] = std::exp(f.left_out.log_probability);
  record["log_probability"] = f.left_out.log_probability;
  record["in_sample"] = std::exp(f.left_out.in_sample);
  record["rival"] = f.rival;
  if (influence) {
    record["influence"] = f.left_out.influence;
    record["moved"] = f.moved;
  }
  record["features"] = f.features;
  return record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

train::OutlierSettings settings_of(const OutlierOptions& options, const config::OptionSet& given) {
  if (options.exact && options.folds)
    throw ConfigError("contradicts --exact, which leaves out one row at a time", "folds");
  if (options.all && given.given("top")) throw ConfigError("contradicts --all", "top");
  if (given.given("seed") && !options.folds) throw ConfigError("belongs to --folds", "seed");
  const bool approximate = !options.exact && !options.folds;
  if (options.influence && !approximate)
    throw ConfigError("is computed by the approximate method; leave out --exact and --folds", "influence");
  train::OutlierSettings settings;
  settings.method = options.exact   ? train::LeaveOutMethod::exact
                    : options.folds ? train::LeaveOutMethod::folds
                                    : train::LeaveOutMethod::approximate;
  settings.folds = options.folds.value_or(settings.folds);
  settings.seed = options.seed;
  return settings;
}

}  // namespace

const CommandInfo& Outliers::info() const {
  static const CommandInfo info = {
      .name = "outliers",
      .arguments = "MODEL DATA…",
      .summary = "rows that the model finds improbable when they are left out",
      .description =
          "Ranks the rows that a model was trained on by the probability of their own label under the model "
          "fitted "
          "without them: wrong labels and unusual rows come first, each with the features that speak against "
          "its label. "
          "The probabilities come from one Newton step per row; --exact fits again.",
      .examples = {{"outliers model.safetensors train.csv", "the twenty least probable rows"},
                   {"outliers model.safetensors train.csv --influence --top 50",
                    "with their influence on the coefficients"},
                   {"outliers model.safetensors train.csv --folds=5 --all -o suspects.csv",
                    "every row, judged by five-fold cross-validation"}},
      .min_arguments = 2};
  return info;
}

void Outliers::declare(config::OptionSet& options) {
  static const auto out = output_fields("where the list goes, written atomically", "standard output");
  options.add(out, output_);
  options.add(outlier_fields(), outliers_);
  options.add(io::read_fields(), read_, {"Input"});
  options.add(io::other_column_fields(), read_);
  options.add(io::read_fields(), read_, {"Limits"});
  options.add(model_limit_fields(), model_limits_);
}

// Linear regressions: rows are left out in closed form.
int Outliers::list_numbers(ScoringRun& run, Session& session) const {
  for (const char* name : {"exact", "folds", "seed", "influence"})
    if (session.options.given(name))
      throw ConfigError("a row is left out of a linear regression in closed form, with its leverage", name,
                        "leave it out");
  const model::Model& model = run.model();
  const std::string id_name = !read_.id.empty() ? read_.id : model.input.id;
  const bool json = outliers_.form == "jsonl";
  io::ReadSummary summary;
  const data::Rows rows = run.load(summary);
  session.console.set_phase("leaving rows out");
  const auto found = with_data_name(run.data(), read_.limits, [&] {
    return train::number_outliers(model, rows, session.console, session.cancel);
  });
  if (!json)
    run.write(fmt::format("row,{}label,prediction,left_out,leverage,t,features\n",
                          id_name.empty() ? "" : csv_field(id_name) + ","));
  std::size_t shown = 0;
  for (const train::NumberOutlier& one : found) {
    if (!outliers_.all && shown++ == outliers_.top) break;
    const std::string id = rows.ids.empty() ? "" : rows.ids[one.row];
    const std::string features =
        model::describe(model::explain_row(model, rows, one.row, named_features), model);
    if (json) {
      Json record{{"row", one.row + 1}};
      if (!id_name.empty()) record[id_name] = id;
      record["label"] = rows.targets[one.row];
      record["prediction"] = one.prediction;
      record["left_out"] = std::isfinite(one.left_out) ? Json(one.left_out) : Json(nullptr);
      record["leverage"] = one.leverage;
      record["t"] = one.t;
      record["features"] = features;
      run.write(record.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
    } else {
      run.write(fmt::format("{},{}{},{},{},{},{},{}\n", one.row + 1,
                            id_name.empty() ? "" : csv_field(id) + ",", rows.targets[one.row], one.prediction,
                            std::isfinite(one.left_out) ? fmt::format("{}", one.left_out) : "", one.leverage,
                            one.t, csv_field(features)));
    }
  }
  run.finish(summary);
  return exit_done;
}

int Outliers::execute(const std::vector<std::string>& arguments, Session& session) {
  const train::OutlierSettings settings = settings_of(outliers_, session.options);
  ScoringRun run(arguments, output_.output, read_, model_limits_, session);
  run.use_training_coordinates();
  const model::Model& model = run.model();
  if (!model.input.choices.column.empty())
    throw ConfigError("the model chooses among candidates; no row can be left out by itself");
  if (model.shape.response == data::Response::number) return list_numbers(run, session);
  if (model.shape.response == data::Response::labels)
    throw ConfigError("outliers are rows whose class is improbable; the model predicts sets of labels");
  const std::string id_name = !read_.id.empty() ? read_.id : model.input.id;
  io::ReadSummary summary;
  const data::Rows rows = run.load(summary);
  session.console.set_phase("leaving rows out");
  with_data_name(run.data(), read_.limits, [&] {
    const train::Outliers found(model, rows, settings, session.console, session.cancel);
    const model::Predictor predictor(model);
    model::Predictions predictions;
    const bool json = outliers_.form == "jsonl";
    if (!json)
      run.write(fmt::format("row,{}label,probability,in_sample,rival{},features\n",
                            id_name.empty() ? "" : csv_field(id_name) + ",",
                            outliers_.influence ? ",influence,moved" : ""));
    std::size_t shown = 0;
    for (const std::size_t j : found.ranking()) {
      if (!outliers_.all && shown++ == outliers_.top) break;
      session.cancel.throw_if_cancelled();
      predictor.predict(rows, {j, j + 1}, model::Predictor::Detail::probabilities, predictions);
      const ClassId label = rows.labels[j],
                    rival = rival_of(label, predictions.probabilities.data(), model.shape.num_classes);
      Finding finding{
          j,
          rows.ids.empty() ? "" : rows.ids[j],
          model.classes.label(label),
          model.classes.label(rival),
          model::describe(model::explain_between(model, rows, j, {rival, label}, named_features), model),
          "",
          found.rows()[j]};
      if (outliers_.influence) finding.moved = moved_text(model, found.moved(j, moved_coefficients));
      run.write(json ? json_record(finding, id_name, outliers_.influence)
                     : csv_record(finding, !id_name.empty(), outliers_.influence));
    }
    return 0;
  });
  run.finish(summary);
  return exit_done;
}

}  // namespace lazylogit::cli
