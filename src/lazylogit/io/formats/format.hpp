// The list of data formats, and which one an input is in.
//
// A format is one row of format_catalog(): its name, its file extensions, a look at the first bytes, and two
// ways in (learning; applying a model's names). Adding one is a .hpp/.cpp pair and a line in format.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

struct FormatEntry {
  Format format;
  std::string_view name;  // as --format takes it
  std::span<const std::string_view>
      extensions;       // lower case, without the dot; .gz and .zst are cut off first
  Precision precision;  // what Precision::automatic means here
  // How sure the first bytes (after decompression, up to 64 KiB, maybe cut in a record) make us: 0 no,
  // 100 certain. Two formats within 10 of each other at the top are an ambiguity that the user decides.
  int (*sniff)(std::string_view prefix);
  Loaded (*load)(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel);
  std::unique_ptr<RowSource> (*open)(std::vector<Input> inputs, const FixedNames& names,
                                     const ReadOptions& options, Log& log, const CancelToken& cancel);
  // What a stream takes its rows to be, from the options and the first records; null: the format is no stream.
  data::InputSpec (*outline)(std::vector<Input>& inputs, const ReadOptions& options, Log& log) = nullptr;
};

// Every format, in the order in which help lists them.
std::span<const FormatEntry> format_catalog();

// The row of a format that was asked for; ConfigError for `automatic` or an unknown one.
const FormatEntry& find_format(Format format);
// What the extension says (.gz and .zst are cut off first); automatic when it says nothing.
Format format_of_name(std::string_view name);
// By option, else by extension, else by content; what is called .txt and has no tab in its first line, by content before the
// extension. Error when inputs differ, when nothing or several fit, and for a .txt that looks like a table of three columns
// and more. With the kind
// that a model was trained on: content that nothing fits is of that kind, and documents are never judged by what they say.
const FormatEntry& detect_format(std::vector<Input>& inputs, const ReadOptions& options,
                                 std::optional<data::InputKind> kind = std::nullopt);

// float32 or float64: the option, else the format's own.
inline Precision effective_precision(const ReadOptions& options, const FormatEntry& entry) {
  return options.precision == Precision::automatic ? entry.precision : options.precision;
}

}  // namespace lazylogit::io
