// Loads libsvm text from memory and describes data sets so that tests can compare them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/formats/libsvm_parser.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::test {

class KeepingLog final : public Log {
 public:
  void warning(const ErrorDetail& detail) override { warnings.push_back(format_error(detail, "warning")); }
  void notice(std::string_view sentence) override { notices.emplace_back(sentence); }
  std::vector<std::string> warnings, notices;
};

inline io::Loaded load_text_as_libsvm(std::string_view text, const io::ReadOptions& options = {},
                                      Log& log = silent_log()) {
  std::vector<io::Input> inputs;
  inputs.push_back(io::Input::from_memory("x.svm", text, options.limits));
  return io::libsvm_format().load(inputs, options, log, {});
}

// The same with blocks of a given size, to move their limits through the text.
inline io::Loaded load_in_blocks(std::string_view text, std::size_t block_bytes,
                                 const io::ReadOptions& options = {}) {
  std::vector<io::Input> inputs;
  inputs.push_back(io::Input::from_memory("x.svm", text, options.limits));
  const io::LibsvmParser parser({.options = &options,
                                 .precision = io::Precision::float32,
                                 .index_base = 1,
                                 .hash_bits = options.hash_bits});
  io::TextRun run;
  run.format = io::Format::libsvm;
  run.mode = options.hash_bits ? io::FeatureMode::hashed : io::FeatureMode::indexed;
  run.block_bytes = block_bytes;
  return io::load_text(inputs, run,
                       [&](const io::TextBlock& block, io::RowBlock& out) { parser.parse(block, out); },
                       options, silent_log(), {});
}

template <class Load>
std::string error_from(const Load& load) {
  try {
    load();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

inline std::string error_of(std::string_view text, const io::ReadOptions& options = {}) {
  return error_from([&] { load_text_as_libsvm(text, options); });
}

// Everything that a reader fills, as text.
inline std::string describe(const io::Loaded& loaded) {
  const data::Dataset& d = loaded.data;
  std::string out = "features";
  for (std::size_t i = 0; i < d.features.size(); ++i)
    out += " " + std::string(d.features.name(static_cast<FeatureId>(i)));
  out += "\nclasses";
  for (const std::string& label : d.classes.labels()) out += " " + label;
  out += "\nvalues of kind " + std::to_string(d.x.values.index()) + ", columns " +
         std::to_string(d.x.num_features) + "\n";
  for (std::size_t row = 0; row < d.num_rows(); ++row) {
    out += std::to_string(d.labels[row]);
    for (std::size_t k = d.x.row_offsets[row]; k < d.x.row_offsets[row + 1]; ++k)
      out += " " + std::to_string(d.x.ids[k]) + ":" + std::to_string(d.x.value(k));
    out += "\n";
  }
  return out;
}

}  // namespace lazylogit::test
