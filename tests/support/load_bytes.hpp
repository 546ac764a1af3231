// Reads bytes in memory with a reader of the catalog; for tests of formats.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::test {

// Options with something changed: options_with([](auto& o) { o.id = "tag"; }).
template <class Change>
io::ReadOptions options_with(Change change) {
  io::ReadOptions options;
  change(options);
  return options;
}

inline io::Loaded load_bytes(io::Format format, std::string_view bytes, const io::ReadOptions& options = {},
                             Log& log = silent_log()) {
  std::vector<io::Input> inputs;
  inputs.push_back(io::Input::from_memory("x", bytes));
  return io::find_format(format).load(inputs, options, log, {});
}

// The line that a person would see, or "none".
inline std::string load_error(io::Format format, std::string_view bytes,
                              const io::ReadOptions& options = {}) {
  try {
    load_bytes(format, bytes, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

// "label|name:value name:value;" for each row, features in id order: a matrix as one comparable text.
inline std::string describe(const data::Dataset& d) {
  std::string text;
  for (std::size_t i = 0; i < d.num_rows(); ++i) {
    if (d.labels[i] != unknown_class) text += d.classes.label(d.labels[i]);
    text += '|';
    for (std::uint64_t k = d.x.row_offsets[i]; k < d.x.row_offsets[i + 1]; ++k) {
      if (text.back() != '|') text += ' ';
      char value[32];
      std::snprintf(value, sizeof value, ":%.17g", d.x.value(k));
      text += std::string(d.features.name(d.x.ids[k])) + value;
    }
    text += ';';
  }
  return text;
}

}  // namespace lazylogit::test
