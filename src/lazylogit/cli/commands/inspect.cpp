#include "lazylogit/cli/commands/inspect.hpp"

#include <fmt/format.h>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/config/nearest.hpp"
#include "lazylogit/model/describe.hpp"
#include "lazylogit/train/class_field.hpp"

namespace lazylogit::cli {
namespace {

const config::Table<InspectOptions>& inspect_fields() {
  static const config::Table<InspectOptions> table = [] {
    config::TableBuilder<InspectOptions> t;
    t.group("Inspection");
    t.add({.name = "coefficients",
           .help = "all coefficients as CSV: class, feature, coefficient with 17 digits"},
          &InspectOptions::coefficients);
    t.add({.name = "json", .help = "everything as one JSON document"}, &InspectOptions::json);
    t.add({.name = "top",
           .value = "N",
           .help = "features shown per class, those with the largest coefficients"},
          &InspectOptions::top);
    t.add({.name = "class", .value = "LABEL,…", .help = "show these classes only", .unset = "the first ten"},
          &InspectOptions::classes);
    return std::move(t).build();
  }();
  return table;
}

std::vector<ClassId> chosen_classes(const model::Model& model, const std::vector<std::string>& labels) {
  std::vector<ClassId> chosen;
  for (const std::string& label : labels) {
    const auto canonical = data::canonical_label(label);
    const ClassId found = canonical ? model.classes.find(*canonical) : unknown_class;
    if (found == unknown_class)
      throw ConfigError(fmt::format("the model has no class {}{}", quote_text(label),
                                    train::expected_classes(model.classes)),
                        "class", config::did_you_mean(label, model.classes.labels()));
    chosen.push_back(found);
  }
  return chosen;
}

}  // namespace

const CommandInfo& Inspect::info() const {
  static const CommandInfo info = {
      .name = "inspect",
      .arguments = "MODEL",
      .summary = "what the model learned and how it was trained",
      .description =
          "Shows a model: its classes, its input, how the fit ended, and for each class the features with "
          "the largest "
          "coefficients.",
      .examples = {{"inspect model.safetensors", "a table to read"},
                   {"inspect model.safetensors --class spam --top 30",
                    "what speaks for and against one class"},
                   {"inspect model.safetensors --coefficients >coefficients.csv",
                    "every coefficient, zeros included"},
                   {"inspect model.safetensors --json", "everything, for programs"}},
      .max_arguments = 1};
  return info;
}

void Inspect::declare(config::OptionSet& options) {
  options.add(inspect_fields(), options_);
  options.add(model_limit_fields(), model_limits_);
}

int Inspect::execute(const std::vector<std::string>& arguments, Session& session) {
  const bool table = !options_.coefficients && !options_.json;
  if (options_.coefficients && options_.json)
    throw ConfigError("contradicts --json, which holds the coefficients too", "coefficients");
  for (const char* name : {"top", "class"})
    if (!table && session.options.given(name))
      throw ConfigError("belongs to the table; --json and --coefficients show everything", name);
  const model::Model model = load_whole_model(arguments[0], model_limits_);
  const std::vector<ClassId> classes = chosen_classes(model, options_.classes);
  OutputFile out("-");
  const auto sink = [&out](std::string_view text) { write_result(out, text); };
  if (options_.json)
    model::write_model_json(model, sink);
  else if (options_.coefficients)
    model::write_coefficients_csv(model, sink);
  else
    out.write(printable_lines(model::describe_model(model, options_.top, classes)));
  out.commit();
  return exit_done;
}

}  // namespace lazylogit::cli
