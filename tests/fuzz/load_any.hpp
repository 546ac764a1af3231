// What every reader's fuzz target does: whatever the bytes are, reading ends with rows or with an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::fuzz {

// Loads, and applies the names that were learned to the same bytes.
inline void load_any(io::Format format, std::string_view bytes, io::ReadOptions options) {
  const io::FormatEntry& entry = io::find_format(format);
  entry.sniff(bytes.substr(0, 65536));
  try {
    std::vector<io::Input> inputs;
    inputs.push_back(io::Input::from_memory("fuzz", bytes));
    io::Loaded loaded = entry.load(inputs, options, silent_log(), {});
    loaded.data.features.build_index();
    const io::FixedNames names{&loaded.data.input, &loaded.data.features, &loaded.data.idf,
                               &loaded.data.classes, loaded.data.x.num_features};
    std::vector<io::Input> again;
    again.push_back(io::Input::from_memory("fuzz", bytes));
    const auto source = entry.open(std::move(again), names, options, silent_log(), {});
    data::Rows rows;
    std::size_t num_rows = 0;
    while (source->next(rows)) num_rows += rows.num_rows();
    if (num_rows != loaded.data.num_rows()) __builtin_trap();
  } catch (const Error&) {
  }
}

}  // namespace lazylogit::fuzz
