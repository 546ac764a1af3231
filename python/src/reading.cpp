#include "reading.hpp"

#include <algorithm>

#include "interruptible.hpp"
#include "lazylogit/config/value.hpp"
#include "lazylogit/data/kernel_map.hpp"
#include "lazylogit/io/rows_joiner.hpp"
#include "set_option.hpp"

namespace lazylogit::python {
namespace {

std::vector<io::Input> inputs_of(const io::Input::Maker& make, const io::ReadOptions& options) {
  std::vector<io::Input> inputs;
  inputs.push_back(io::Input::from_maker("X", make, options.limits));
  return inputs;
}

// Runs work(log, cancel) and keeps what was said.
template <class Work>
Table read_with(const Work& work) {
  Table table;
  run_interruptibly([&](const CancelToken& cancel) {
    Messages messages;
    work(table, messages, cancel);
    table.warnings = std::move(messages.warnings);
    table.notices = std::move(messages.notices);
  });
  return table;
}

void take(Table& table, io::Loaded loaded) { table.data = std::move(loaded.data); }

void take(Table& table, data::Rows rows, const model::Model& model) {
  static_cast<data::Rows&>(table.data) = std::move(rows);
  table.data.features = input_names(model);
  table.data.classes = model.classes;
  table.data.input = model.input;
  table.data.idf = model.idf;
}

}  // namespace

io::ReadOptions read_options_of(const Options& given) {
  io::ReadOptions options;
  for (const auto& [name, text] : given) {
    if (name == "loss") {  // an option of training that says what labels are
      if (text != "logistic" && text != "squared")
        throw ConfigError("found " + quote_text(text) + ", expected logistic or squared", name);
      if (text == "squared") options.response = data::Response::number;
      continue;
    }
    if (name == "multilabel") {  // likewise
      if (text == "true") options.response = data::Response::labels;
      continue;
    }
    if (name == "drop-first-category") {  // of the uniform prior, which the reader does not know
      options.drop_first_category = text == "true";
      continue;
    }
    if (name == "log") {  // on the command line it shares its name with the log
      options.derived.log = config::parse_list(text);
      continue;
    }
    set_option(io::read_fields(), name, text, options);
  }
  return options;
}

std::size_t num_inputs(const model::Model& model) {
  return model.kernel != nullptr ? model.kernel->num_inputs : model.shape.num_features;
}

const data::Alphabet& input_names(const model::Model& model) {
  return model.kernel != nullptr ? model.kernel->inputs : model.features;
}

io::FixedNames fixed_names(const model::Model& model) {
  return {.input = &model.input,
          .features = &input_names(model),
          .idf = &model.idf,
          .classes = &model.classes,
          .num_features = num_inputs(model)};
}

Table read_files(const std::vector<std::string>& paths, const Options& given) {
  const io::ReadOptions options = read_options_of(given);
  return read_with([&](Table& table, Log& log, const CancelToken& cancel) {
    take(table, io::load(paths, options, log, cancel));
  });
}

Table read_text(const io::Input::Maker& make, const Options& given) {
  const io::ReadOptions options = read_options_of(given);
  return read_with([&](Table& table, Log& log, const CancelToken& cancel) {
    take(table, io::load(inputs_of(make, options), options, log, cancel));
  });
}

Table read_files(const std::vector<std::string>& paths, const Options& given, const Fitted& fitted) {
  io::ReadOptions options = read_options_of(given);
  options.labels_required = false;
  options.response = fitted.model.input.response;
  return read_with([&](Table& table, Log& log, const CancelToken& cancel) {
    take(table, io::load_with(paths, fixed_names(fitted.model), options, log, cancel, nullptr), fitted.model);
  });
}

Table read_text(const io::Input::Maker& make, const Options& given, const Fitted& fitted) {
  io::ReadOptions options = read_options_of(given);
  options.labels_required = false;
  options.response = fitted.model.input.response;
  return read_with([&](Table& table, Log& log, const CancelToken& cancel) {
    const auto source =
        io::open_rows(inputs_of(make, options), fixed_names(fitted.model), options, log, cancel);
    io::RowsJoiner all;
    data::Rows part;
    while (source->next(part)) all.add(part);
    take(table, all.finish(num_inputs(fitted.model)), fitted.model);
  });
}

}  // namespace lazylogit::python
