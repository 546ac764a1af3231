// What reading a table in blocks of a given size comes to, as text: the rows, or the error.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::fuzz {

using LoadInBlocks =
    std::function<io::Loaded(std::vector<io::Input>&, const io::ReadOptions&, std::size_t block_bytes)>;

inline std::string describe_rows(const data::Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    text += std::to_string(rows.labels[i]) + ":";
    for (std::size_t k = rows.x.row_offsets[i]; k < rows.x.row_offsets[i + 1]; ++k) {
      const double value = rows.x.value(k);
      if (!std::isfinite(value) || value == 0 || rows.x.ids[k] >= rows.x.num_features) std::abort();
      if (k > rows.x.row_offsets[i] && rows.x.ids[k - 1] >= rows.x.ids[k]) std::abort();
      char shown[48];
      std::snprintf(shown, sizeof shown, " %u=%.17g", rows.x.ids[k], value);
      text += shown;
    }
    text += "\n";
  }
  return text;
}

inline std::vector<io::Input> input_of(std::string_view text) {
  std::vector<io::Input> inputs;
  inputs.push_back(io::Input::from_memory("fuzz", text));
  return inputs;
}

// Learned rows must come out again when what was learned is applied to the same text.
inline void check_applying(io::Format format, io::Loaded& loaded, std::string_view text,
                           const io::ReadOptions& options) {
  loaded.data.features.build_index();
  const io::FixedNames names{&loaded.data.input, &loaded.data.features, &loaded.data.idf,
                             &loaded.data.classes, loaded.data.x.num_features};
  data::Rows rows;
  std::string applied;
  const auto source = io::find_format(format).open(input_of(text), names, options, silent_log(), {});
  while (source->next(rows)) applied += describe_rows(rows);
  if (applied != describe_rows(loaded.data)) std::abort();
}

inline std::string outcome(std::string_view text, io::Format format, const io::ReadOptions& options,
                           std::size_t block_bytes, const LoadInBlocks& load) {
  try {
    std::vector<io::Input> inputs = input_of(text);
    io::Loaded loaded = load(inputs, options, block_bytes);
    std::string shown = describe_rows(loaded.data);
    for (std::size_t f = 0; f < loaded.data.features.size(); ++f)
      shown.append(loaded.data.features.name(static_cast<FeatureId>(f))).append("|");
    if (!options.tfidf) check_applying(format, loaded, text, options);
    return shown;
  } catch (const Error& error) {
    if (std::string_view(error.what()).size() > 500) std::abort();
    return error.what();
  }
}

inline void fuzz_table(std::string_view text, io::Format format, const LoadInBlocks& load) {
  io::ReadOptions options;
  options.format = format;
  options.limits.max_line_bytes = 1 << 16;
  const std::string whole = outcome(text, format, options, 1 << 16, load);
  if (text.size() < 4096 && outcome(text, format, options, 5, load) != whole) std::abort();
  options.skip_bad_rows = true;
  options.ngrams = 2;
  // One block, as in applying: where a row with a misplaced quote ends depends on where its block does.
  outcome(text, format, options, 1 << 16, load);
  options.hash_bits = 4;
  options.tfidf = true;
  options.missing = data::MissingPolicy::drop_row;
  options.labels_required = false;
  outcome(text, format, options, 64, load);
}

}  // namespace lazylogit::fuzz
