// Loads tables from memory in tests, and compares what came out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io::table_reading {

// Shows the text where it does not.
inline bool starts_with(const std::string& text, std::string_view start) {
  return text.substr(0, start.size()) == start ? true : (ADD_FAILURE() << text, false);
}

// Keeps what is said.
class KeepingLog final : public Log {
 public:
  void warning(const ErrorDetail& detail) override { said.push_back(format_error(detail, "warning")); }
  void notice(std::string_view text) override { said.emplace_back(text); }
  bool has(std::string_view part) const {
    for (const std::string& sentence : said)
      if (sentence.find(part) != std::string::npos) return true;
    return false;
  }
  std::vector<std::string> said;
};

inline std::vector<Input> in_memory(std::string_view text, const std::string& name = "t") {
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory(name, text));
  return inputs;
}

inline Loaded load_string(Format format, std::string_view text, const ReadOptions& options = {},
                          Log& log = silent_log()) {
  std::vector<Input> inputs = in_memory(text);
  return find_format(format).load(inputs, options, log, {});
}

inline std::string error_of(Format format, std::string_view text, const ReadOptions& options = {}) {
  try {
    load_string(format, text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

// "label: name=value name=value", one string per row.
inline std::vector<std::string> show(const data::Rows& rows, const data::Alphabet& features,
                                     const data::ClassTable& classes) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    std::string line = rows.labels[i] == unknown_class ? "?" : classes.label(rows.labels[i]);
    line += ":";
    for (std::size_t k = rows.x.row_offsets[i]; k < rows.x.row_offsets[i + 1]; ++k) {
      char value[32];
      std::snprintf(value, sizeof value, "%.10g", rows.x.value(k));
      line += " " + std::string(features.name(rows.x.ids[k])) + "~" + value;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

inline std::vector<std::string> show(const Loaded& loaded) {
  return show(loaded.data, loaded.data.features, loaded.data.classes);
}

inline std::vector<std::string> feature_names(const Loaded& loaded) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < loaded.data.features.size(); ++f)
    names.emplace_back(loaded.data.features.name(static_cast<FeatureId>(f)));
  return names;
}

// The rows of `text` under what `loaded` has learned.
inline data::Rows apply_string(Format format, Loaded& loaded, std::string_view text,
                               const ReadOptions& options = {}, Log& log = silent_log(),
                               ReadSummary* summary = nullptr) {
  loaded.data.features.build_index();
  const FixedNames names{&loaded.data.input, &loaded.data.features, &loaded.data.idf, &loaded.data.classes,
                         loaded.data.x.num_features};
  const std::unique_ptr<RowSource> source =
      find_format(format).open(in_memory(text), names, options, log, {});
  data::Rows all;
  source->next(all);  // tests stay below a block
  data::Rows rest;
  while (source->next(rest)) {
  }
  if (summary != nullptr) *summary = source->summary();
  return all;
}

}  // namespace lazylogit::io::table_reading
