#include "lazylogit/cli/commands/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/cli/summary_line.hpp"
#include "lazylogit/model/describe.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/model/training_record.hpp"
#include "lazylogit/train/recheck.hpp"

namespace lazylogit::cli {
namespace {

using Json = nlohmann::ordered_json;

const config::Table<CheckOptions>& check_fields() {
  static const config::Table<CheckOptions> table = [] {
    config::TableBuilder<CheckOptions> t;
    t.group("Check");
    t.add({.name = "json", .help = "the findings as one JSON document"}, &CheckOptions::json);
    t.add({.name = "gap",
           .value = "G",
           .help = "the relative gap up to which the model passes for the optimum",
           .bounds = config::above(0)},
          &CheckOptions::gap);
    t.add({.name = "require-convergence",
           .help = "exit with code 4 when the model is not the optimum for DATA"},
          &CheckOptions::require_convergence);
    return std::move(t).build();
  }();
  return table;
}

std::string outputs_text(const model::Shape& shape) {
  if (shape.response == data::Response::number) return "a number";
  return grouped(shape.num_classes) + " " +
         plural(shape.num_classes, shape.response == data::Response::labels ? "label" : "class");
}

std::string findings_text(const std::string& file, const model::Model& model,
                          const std::optional<train::Recheck>& found, double gap) {
  std::string text = summary_line("model", file);
  text += summary_line("file", fmt::format("whole: checksum, structure and content are right; {}, {} {}",
                                           outputs_text(model.shape), grouped(model.shape.num_features),
                                           plural(model.shape.num_features, "feature")));
  text += summary_line("recorded", model::describe_certificate(model.record.certificate));
  if (!found) return text;
  text += summary_line("rows", grouped(found->num_examples));
  text += summary_line(
      "error", fmt::format("{:.10g} = {:.10g} ({}) + {:.10g} (penalty)", found->parts.error(),
                           -found->parts.log_likelihood,
                           model.shape.response == data::Response::number ? "half the sum of squared errors"
                                                                          : "-log likelihood",
                           found->parts.penalty));
  text += summary_line("certificate", model::describe_certificate(found->certificate));
  text += summary_line("optimum", found->separation.empty()
                                      ? fmt::format("{}: the asked relative gap is {}",
                                                    found->optimal ? "yes" : "not shown", gap)
                                      : "none: " + found->separation);
  return text;
}

std::string findings_json(const std::string& file, const model::Model& model,
                          const std::optional<train::Recheck>& found) {
  Json json{{"model", file}, {"whole", true}, {"num_classes", model.shape.num_classes}};
  json["num_features"] = model.shape.num_features;
  json["recorded_certificate"] = model::certificate_to_json(model.record.certificate);
  if (found) {
    json["num_examples"] = found->num_examples;
    json["log_likelihood"] = found->parts.log_likelihood;
    json["penalty"] = found->parts.penalty;
    json["error"] = found->parts.error();
    json["log_prior"] = found->log_prior;
    json["certificate"] = model::certificate_to_json(found->certificate);
    json["optimal"] = found->optimal;
    if (!found->separation.empty()) json["separation"] = found->separation;
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

const CommandInfo& Check::info() const {
  static const CommandInfo info = {
      .name = "check",
      .arguments = "MODEL [DATA…]",
      .summary = "is the file whole? is this the optimum?",
      .description =
          "Verifies a model file completely. With DATA, usually the training data, also computes the "
          "certificate anew: how "
          "far the model's error can be from the optimum under the prior it records, and the worst violated "
          "expectation "
          "constraint.",
      .examples = {
          {"check model.safetensors", "is every byte of the file in order?"},
          {"check model.safetensors train.csv", "is the model the optimum for this data?"},
          {"check model.safetensors train.csv --json | jq .certificate.relative_gap", "one number"}}};
  return info;
}

void Check::declare(config::OptionSet& options) {
  options.add(check_fields(), check_);
  options.add(io::read_fields(), read_, {"Input"});
  options.add(io::other_column_fields(), read_);
  options.add(io::read_fields(), read_, {"Limits"});
  options.add(model_limit_fields(), model_limits_);
}

int Check::execute(const std::vector<std::string>& arguments, Session& session) {
  const std::vector<std::string> data_arguments(arguments.begin() + 1, arguments.end());
  if (data_arguments.empty())
    for (const config::BoundField& option : session.options.options())
      if (option.given && option.field->info.group != "General" && option.field->info.name != "json" &&
          option.field->info.name != "max-header-bytes")
        throw ConfigError("needs DATA to check the model against", option.field->info.name);
  std::vector<std::string> inputs = arguments;
  if (!read_.labels_file.empty()) inputs.push_back(read_.labels_file);
  refuse_standard_input_twice(inputs);
  if (!data_arguments.empty()) expanded_names(data_arguments, read_.limits);
  model::Model model = load_whole_model(arguments[0], model_limits_);
  std::optional<train::Recheck> found;
  if (!data_arguments.empty()) {
    io::ReadSummary summary;
    read_.response = model.input.response;
    model = model::in_training_coordinates(std::move(model));
    const data::Rows rows = load_rows(model, data_arguments, read_, session, &summary);
    session.console.notice(read_summary_text(summary));
    session.console.set_phase("checking");
    found = with_data_name(data_arguments, read_.limits, [&] {
      return train::recheck(model, rows, session.console, check_.gap, session.cancel);
    });
    if (!std::isfinite(found->parts.error()))
      throw_with_name(InputError({.message = "the model's error on these rows overflows a double, expected "
                                             "values like those of the training data"}),
                      data_arguments, read_.limits);
  }
  session.cancel.throw_if_cancelled();
  const std::string file = input_name(arguments[0]);
  print_result(check_.json ? findings_json(file, model, found)
                           : printable_lines(findings_text(file, model, found, check_.gap)));
  return check_.require_convergence && found && !found->optimal ? exit_not_converged : exit_done;
}

}  // namespace lazylogit::cli
