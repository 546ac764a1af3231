#include "lazylogit/io/load.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/choices.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"
#include "lazylogit/io/derived/derived_source.hpp"
#include "lazylogit/io/derived/learn_derived.hpp"
#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/formats/option_fit.hpp"
#include "lazylogit/io/formats/other_format.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/read_ahead.hpp"
#include "lazylogit/io/responses.hpp"
#include "lazylogit/io/rows_joiner.hpp"
#include "lazylogit/io/whole_choices.hpp"

namespace lazylogit::io {
namespace {

struct KindRow {
  data::InputKind kind;
  std::string_view sentence;  // what the model was trained on
  std::array<Format, 3> formats;
};

constexpr KindRow kinds[] = {
    {data::InputKind::indexed,
     "numbered features (libsvm, npy, npz)",
     {Format::libsvm, Format::npy, Format::npz}},
    {data::InputKind::named, "named features (vw)", {Format::vw, Format::vw, Format::vw}},
    {data::InputKind::columns, "columns (csv, tsv, jsonl)", {Format::csv, Format::tsv, Format::jsonl}},
    {data::InputKind::text, "plain text", {Format::text, Format::tsv, Format::tsv}},
};

// Names of one kind of input mean nothing in another: refuse instead of calling every feature unknown.
void check_kind(const data::InputSpec& input, const FormatEntry& entry, const Input& first) {
  if (entry.format == Format::cache) return;  // it holds data of any kind, and says of which
  for (const KindRow& row : kinds) {
    if (row.kind != input.kind) continue;
    if (std::find(row.formats.begin(), row.formats.end(), entry.format) != row.formats.end()) return;
    throw InputError({.message = "the data is " + std::string(entry.name) +
                                 ", but the model was trained on " + std::string(row.sentence),
                      .hint = "if the format was guessed wrongly, name it with --format",
                      .file = first.name(),
                      .code = "wrong-format"});
  }
}

void check_response(const data::InputSpec& input, const ReadOptions& options) {
  if (input.response == options.response) return;
  throw ConfigError("the labels of the model are " + std::string(data::response_name(input.response)) +
                        ", those of the data are read as " +
                        std::string(data::response_name(options.response)),
                    "loss");
}

// Content that won over the name is told.
void say_format(const std::vector<Input>& inputs, const FormatEntry& entry, const ReadOptions& options,
                Log& log) {
  if (options.format != Format::automatic) return;
  for (const Input& input : inputs) {
    const Format named = format_of_name(input.name());
    if (named == Format::automatic || named == entry.format) continue;
    log.notice(input.name() + " is read as " + std::string(entry.name) +
               ", which its content looks like (--format chooses another format)");
    return;
  }
}

// A file that is named twice, as by its name and by a pattern, or through a link.
void warn_about_repeats(const std::vector<Input>& inputs, Log& log) {
  std::map<std::pair<dev_t, ino_t>, const Input*> seen;
  for (const Input& input : inputs) {
    struct stat status = {};
    if (::stat(input.name().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const auto [place, is_new] = seen.emplace(std::pair(status.st_dev, status.st_ino), &input);
    if (is_new) continue;
    log.warning({.kind = ErrorKind::input,
                 .message = "the file is read a second time, after " + quote_text(place->second->name()) +
                            "; its rows count twice",
                 .hint = "name it once if that is not meant",
                 .file = input.name(),
                 .code = "repeated-file"});
    return;
  }
}

// Rows that will be in memory are read from there twice, not through a temporary file.
void keep_text(std::vector<Input>& inputs, const Limits& limits) {
  for (Input& input : inputs) {
    const std::unique_ptr<ByteSource> source = input.open();
    std::string text, buffer(std::size_t{1} << 20, '\0');
    while (const std::size_t count = read_fully(*source, buffer.data(), buffer.size()))
      text.append(buffer.data(), count);
    input = Input::from_text(input.name(), std::move(text), limits);
  }
}

}  // namespace

Loaded load(const std::vector<std::string>& arguments, const ReadOptions& options, Log& log,
            const CancelToken& cancel) {
  std::vector<Input> inputs = expand_inputs(arguments, options.limits);
  warn_about_repeats(inputs, log);
  return load(std::move(inputs), options, log, cancel);
}

Loaded load(std::vector<Input> inputs, const ReadOptions& options, Log& log, const CancelToken& cancel) {
  const FormatEntry& entry = detect_format(inputs, options);
  say_format(inputs, entry, options, log);
  check_options_fit(options, entry.format);
  const std::string first = inputs.front().name();
  ReadOptions effective = options;
  data::ChoiceSpec choices;
  if (!options.choices.empty()) choices = use_choices(inputs, entry, effective);
  if (choices.nested) keep_text(inputs, options.limits);
  const auto load_rows = [&] {
    try {
      return entry.load(inputs, base_options(effective), log, cancel);
    } catch (const InputError& error) {
      throw with_format_hint(error, entry, options.limits);
    }
  };
  Loaded loaded = load_rows();
  learn_derived(loaded, effective, log, cancel);
  apply_response(loaded.data, effective, first);
  if (!options.choices.empty() && !choices.nested) check_choices_stand_together(loaded.data.ids, first);
  loaded.data.input.choices = std::move(choices);
  if (!options.choices.empty()) loaded.data.choice_ends = choice_ends(loaded.data.ids);
  return loaded;
}

std::unique_ptr<RowSource> open_rows(const std::vector<std::string>& arguments, const FixedNames& names,
                                     const ReadOptions& options, Log& log, const CancelToken& cancel) {
  return open_rows(expand_inputs(arguments, options.limits), names, options, log, cancel);
}

std::unique_ptr<RowSource> open_rows(std::vector<Input> inputs, const FixedNames& names,
                                     const ReadOptions& options, Log& log, const CancelToken& cancel) {
  const FormatEntry& entry = detect_format(inputs, options, names.input->kind);
  say_format(inputs, entry, options, log);
  check_kind(*names.input, entry, inputs.front());
  check_options_fit(options, names.input->kind == data::InputKind::text ? Format::text : entry.format);
  check_response(*names.input, options);
  if (!names.input->choices.column.empty()) apply_choices(names.input->choices, inputs, options);
  return open_derived(names, options, [&](const FixedNames& base) {
    try {
      return hinting_at_format(entry.open(std::move(inputs), base, options, log, cancel), entry,
                               options.limits);
    } catch (const InputError& error) {
      throw with_format_hint(error, entry, options.limits);
    }
  });
}

data::InputSpec outline_stream(std::vector<Input>& inputs, const ReadOptions& options, Log& log) {
  const FormatEntry& entry = detect_format(inputs, options);
  if (entry.outline == nullptr)
    throw ConfigError(std::string(entry.name) + " files hold their rows as a whole; they cannot be a stream",
                      "stream", "leave --stream out, or convert them to libsvm");
  check_options_fit(options, entry.format);
  if (entry.format == Format::cache && options.response == data::Response::labels)
    throw ConfigError("a stream of several labels in a row is text; a cache is not", "stream",
                      "leave --stream out");
  ReadOptions effective = options;
  data::ChoiceSpec choices;
  if (!options.choices.empty()) choices = use_choices(inputs, entry, effective);
  data::InputSpec input = entry.outline(inputs, base_options(effective), log);
  input.choices = std::move(choices);
  input.derived = plan_derived(effective.derived, input);
  input.hash_bits = options.hash_bits;
  input.response = options.response;
  return input;
}

std::unique_ptr<RowSource> open_stream(std::vector<Input> inputs, const data::InputSpec& input,
                                       GrowingNames& growing, const ReadOptions& options, Log& log,
                                       const CancelToken& cancel) {
  static const data::ClassTable no_classes;
  static const std::vector<double> no_idf;
  const FormatEntry& entry = detect_format(inputs, options, input.kind);
  if (entry.outline == nullptr) throw ConfigError("this format cannot be a stream", "stream");
  check_kind(input, entry, inputs.front());
  check_response(input, options);
  const FixedNames names{.input = &input,
                         .features = &growing.features,
                         .idf = &no_idf,
                         .classes = &no_classes,
                         .num_features = input.hash_bits ? std::size_t{1} << *input.hash_bits : 0,
                         .growing = &growing};
  const ThreadLimit one_thread(1);  // blocks are parsed in order, by the thread that reads
  const auto opened = [&](const ReadOptions& reading) {
    return open_derived(names, reading, [&](const FixedNames& base) {
      return entry.open(std::move(inputs), base, reading, log, cancel);
    });
  };
  if (input.choices.column.empty()) return read_ahead(opened(options), cancel);
  // What candidates are called is in `input`; the options are about the lines they came from.
  auto reading = std::make_unique<ReadOptions>(options);
  if (input.choices.nested) reading->target.clear();
  std::unique_ptr<RowSource> source = opened(*reading);
  return read_ahead(whole_choices(std::move(source), std::move(reading)), cancel);
}

data::Rows load_with(const std::vector<std::string>& arguments, const FixedNames& names,
                     const ReadOptions& options, Log& log, const CancelToken& cancel, ReadSummary* summary) {
  const std::unique_ptr<RowSource> source = open_rows(arguments, names, options, log, cancel);
  RowsJoiner all;
  data::Rows part;
  while (source->next(part)) all.add(part);
  if (summary != nullptr) *summary = source->summary();
  data::Rows rows = all.finish(names.num_features);
  const data::ChoiceSpec& choices = names.input->choices;
  if (!choices.column.empty() && !choices.nested) check_choices_stand_together(rows.ids, arguments.front());
  if (!choices.column.empty()) rows.choice_ends = choice_ends(rows.ids);
  return rows;
}

}  // namespace lazylogit::io
