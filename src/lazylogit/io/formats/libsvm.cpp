#include "lazylogit/io/formats/libsvm.hpp"

#include <memory>
#include <utility>

#include "lazylogit/base/ascii.hpp"
#include "lazylogit/io/formats/libsvm_errors.hpp"
#include "lazylogit/io/formats/libsvm_parser.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::io {
namespace {

constexpr std::string_view libsvm_extensions[] = {"svm", "libsvm", "svmlight", "svml"};

bool is_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  if (colon == std::string_view::npos) return false;
  std::uint64_t index = 0;
  double value = 0;
  const std::string_view name = token.substr(0, colon);
  return (name == "qid" || parse_integer(name, max_libsvm_index, index) == NumberStatus::ok) &&
         parse_number(token.substr(colon + 1), value) == NumberStatus::ok;
}

// A label (or a pair) and then pairs only; counts the pairs. Blank lines and comments fit.
bool fits(std::string_view line, std::size_t& pairs) {
  const char* p = line.data();
  const char* const end = p + line.size();
  for (bool first = true; p < end; first = false) {
    while (p < end && is_blank(*p)) ++p;
    const char* const stop = token_end(p, end);
    if (stop == p) return true;  // a comment or the end
    const std::string_view token(p, static_cast<std::size_t>(stop - p));
    if (is_pair(token))
      ++pairs;
    else if (!first || !libsvm_carries_label(token))
      return false;
    p = stop;
  }
  return true;
}

int sniff_libsvm(std::string_view prefix) {
  std::size_t pairs = 0, lines = 0;
  while (!prefix.empty() && lines < 100) {
    const std::size_t end = prefix.find('\n');
    if (end == std::string_view::npos && lines > 0) break;  // maybe cut
    const std::string_view line = prefix.substr(0, end);
    if (!fits(line, pairs)) return 0;
    ++lines;
    prefix.remove_prefix(end == std::string_view::npos ? prefix.size() : end + 1);
  }
  return pairs > 0 ? 90 : 0;
}

Loaded load_libsvm(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                   const CancelToken& cancel) {
  const LibsvmParser parser({.options = &options,
                             .precision = effective_precision(options, libsvm_format()),
                             .index_base = options.index_base,
                             .hash_bits = options.hash_bits});
  TextRun run;
  run.format = Format::libsvm;
  run.mode = options.hash_bits ? FeatureMode::hashed : FeatureMode::indexed;
  run.input.kind = data::InputKind::indexed;
  run.input.index_base = options.index_base;
  run.input.hash_bits = options.hash_bits;
  return load_text(
      inputs, run, [&](const TextBlock& block, RowBlock& out) { parser.parse(block, out); }, options, log,
      cancel);
}

std::unique_ptr<RowSource> open_libsvm(std::vector<Input> inputs, const FixedNames& names,
                                       const ReadOptions& options, Log& log, const CancelToken& cancel) {
  const data::InputSpec& input = *names.input;
  if (names.growing != nullptr && !input.hash_bits) names.growing->number_columns(input.index_base);
  const std::shared_ptr<const IndexLookup> lookup =
      input.hash_bits ? IndexLookup::of_slots(*names.features, names.num_features)
                      : std::make_shared<const IndexLookup>(*names.features, input.index_base);
  const LibsvmParser parser({.options = &options,
                             .precision = effective_precision(options, libsvm_format()),
                             .index_base = input.index_base,
                             .hash_bits = input.hash_bits,
                             .learning = false,
                             .lookup = lookup.get(),
                             .growing = names.growing});
  TextRun run;
  run.format = Format::libsvm;
  run.mode = input.hash_bits ? FeatureMode::hashed : FeatureMode::fixed;
  run.input = input;
  return stream_text(
      std::move(inputs), run,
      [parser, lookup](const TextBlock& block, RowBlock& out) { parser.parse(block, out); }, names, options,
      log, cancel);
}

data::InputSpec outline_libsvm(std::vector<Input>&, const ReadOptions& options, Log&) {
  data::InputSpec input;
  input.kind = data::InputKind::indexed;
  input.index_base = options.index_base;
  input.hash_bits = options.hash_bits;
  return input;
}

}  // namespace

FormatEntry libsvm_format() {
  return {.format = Format::libsvm,
          .name = "libsvm",
          .extensions = libsvm_extensions,
          .precision = Precision::float32,
          .sniff = sniff_libsvm,
          .load = load_libsvm,
          .open = open_libsvm,
          .outline = outline_libsvm};
}

}  // namespace lazylogit::io
