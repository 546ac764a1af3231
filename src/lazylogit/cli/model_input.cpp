#include "lazylogit/cli/model_input.hpp"

#include <fmt/format.h>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/model/kernel_coordinates.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/train/prior_setup.hpp"

namespace lazylogit::cli {

model::Model load_whole_model(const std::string& file, const model::ContainerLimits& limits) {
  model::Model model = model::load_model(file, limits);
  try {
    train::prior_of(model);
    train::class_weights_of(model);
  } catch (const InputError& error) {
    ErrorDetail detail = error.detail();
    if (detail.file.empty()) detail.file = input_name(file);
    throw InputError(std::move(detail));
  }
  return model;
}

io::FixedNames fixed_names(const model::Model& model) {
  if (const data::KernelMap* const kernel = model.kernel.get())
    return {&model.input, &kernel->inputs, &model.idf, &model.classes, kernel->num_inputs};
  return {&model.input, &model.features, &model.idf, &model.classes, model.shape.num_features};
}

namespace {

void refuse_other_id(const model::Model& model, const io::ReadOptions& read) {
  if (!model.input.choices.column.empty() && !read.id.empty() && read.id != model.input.id)
    throw ConfigError("the column of the choices is passed through instead", "id", "leave it out");
}

}  // namespace

data::Rows load_rows(const model::Model& model, const std::vector<std::string>& arguments,
                     const io::ReadOptions& read, Session& session, io::ReadSummary* summary) {
  refuse_other_id(model, read);
  data::Rows rows = with_data_name(arguments, read.limits, [&] {
    return io::load_with(arguments, fixed_names(model), read, session.console, session.cancel, summary);
  });
  model::RowMapper{model}(rows);
  return rows;
}

std::vector<std::string> expanded_names(const std::vector<std::string>& arguments, const io::Limits& limits) {
  std::vector<std::string> names;
  for (const io::Input& input : io::expand_inputs(arguments, limits))
    names.push_back(input.name() == "<stdin>" ? "-" : input.name());
  return names;
}

void throw_with_name(const Error& error, const std::vector<std::string>& arguments,
                     const io::Limits& limits) {
  ErrorDetail detail = error.detail();
  const bool about_data = detail.kind == ErrorKind::input || detail.kind == ErrorKind::environment;
  if (!about_data || !detail.file.empty() || !detail.option.empty()) throw error;
  const std::vector<io::Input> inputs = io::expand_inputs(arguments, limits);
  detail.file = inputs.front().name();
  if (inputs.size() > 1 && detail.hint.empty())
    detail.hint = fmt::format("counted over all {} files", inputs.size());
  throw Error(std::move(detail), error.more());
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string read_summary_text(const io::ReadSummary& summary) {
  std::string text = grouped(summary.rows) + " " + plural(summary.rows, "row");
  const auto add = [&](std::uint64_t count, const char* what, const char* fate) {
    if (count > 0) text += fmt::format("; {} {} {}", grouped(count), plural(count, what), fate);
  };
  add(summary.bad_rows, "bad row", "skipped");
  add(summary.dropped_rows, "row", "with missing values dropped");
  add(summary.unknown_features, "feature occurrence", "unknown to the model ignored");
  add(summary.unknown_labels, "row", "with a label unknown to the model");
  return text;
}

}  // namespace lazylogit::cli
