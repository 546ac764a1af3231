#include "lazylogit/io/formats/option_fit.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {
namespace {

struct Rule {
  std::string_view option;
  bool (*given)(const ReadOptions& options);  // to another value than the default: by programs
  std::vector<Format> formats;                // that use it, or refuse it in better words
};

const std::vector<Rule>& rules() {
  using enum Format;
  static const std::vector<Rule> list = {
      {"delimiter", [](const ReadOptions& o) { return o.delimiter.has_value(); }, {csv, tsv}},
      {"no-header", [](const ReadOptions& o) { return !o.header; }, {csv, tsv}},
      {"quote", [](const ReadOptions& o) { return o.quote; }, {csv, tsv}},
      {"labels", [](const ReadOptions& o) { return !o.labels_file.empty(); }, {npy, npz}},
      {"target", [](const ReadOptions& o) { return !o.target.empty(); }, {csv, tsv, jsonl}},
      {"id", [](const ReadOptions& o) { return !o.id.empty(); }, {vw, csv, tsv, jsonl, npy, npz}},
      {"weight", [](const ReadOptions& o) { return !o.weight.empty(); }, {csv, tsv, jsonl, npy, npz}},
      {"offset", [](const ReadOptions& o) { return !o.offset.empty(); }, {csv, tsv, jsonl, npy, npz}},
      {"count", [](const ReadOptions& o) { return !o.count.empty(); }, {csv, tsv, jsonl}},
      {"ignore", [](const ReadOptions& o) { return !o.ignore.empty(); }, {csv, tsv, jsonl}},
      {"categorical", [](const ReadOptions& o) { return !o.categorical.empty(); }, {csv, tsv, jsonl}},
      {"text", [](const ReadOptions& o) { return !o.text.empty(); }, {csv, tsv, jsonl}},
      {"missing",
       [](const ReadOptions& o) { return o.missing != data::MissingPolicy::impute; },
       {csv, tsv, jsonl}},
      {"ngrams", [](const ReadOptions& o) { return o.ngrams != 1; }, {csv, tsv, jsonl, text}},
      {"lowercase", [](const ReadOptions& o) { return o.lowercase; }, {csv, tsv, jsonl, text}},
      {"tfidf", [](const ReadOptions& o) { return o.tfidf; }, {csv, tsv, jsonl, text}},
      {"log", [](const ReadOptions& o) { return !o.derived.log.empty(); }, {csv, tsv, jsonl, cache}},
      {"log1p", [](const ReadOptions& o) { return !o.derived.log1p.empty(); }, {csv, tsv, jsonl, cache}},
      {"bins", [](const ReadOptions& o) { return !o.derived.bins.empty(); }, {csv, tsv, jsonl, cache}},
      {"polynomial",
       [](const ReadOptions& o) { return o.derived.polynomial > 1; },
       {libsvm, vw, csv, tsv, jsonl, npy, npz, cache}},
      {"index-base", [](const ReadOptions& o) { return o.index_base != 1; }, {libsvm, npy, npz}},
  };
  return list;
}

const Rule* first_misfit(const ReadOptions& options, Format format) {
  const std::vector<std::string>& given = options.given;
  for (const Rule& rule : rules())
    if ((rule.given(options) || std::find(given.begin(), given.end(), rule.option) != given.end()) &&
        std::find(rule.formats.begin(), rule.formats.end(), format) == rule.formats.end())
      return &rule;
  return nullptr;
}

bool options_use_columns(Format format) {
  return format == Format::csv || format == Format::tsv || format == Format::jsonl;
}

}  // namespace

bool options_fit(const ReadOptions& options, Format format) {
  return first_misfit(options, format) == nullptr;
}

void check_options_fit(const ReadOptions& options, Format format) {
  if (options.max_bad_rows && !options.skip_bad_rows)
    throw ConfigError("the first bad row stops the run anyway", "max-bad-rows", "add --on-bad-row skip");
  if (options.max_errors > 1 && options.skip_bad_rows)
    throw ConfigError("bad rows are skipped, so that no error stops the run", "max-errors",
                      "--max-bad-rows says how many are too many");
  const Rule* const rule = first_misfit(options, format);
  if (rule == nullptr) return;
  std::string list;
  for (const Format known : rule->formats)
    list += (list.empty() ? "" : ", ") + std::string(format_name(known));
  throw ConfigError("the data is " + std::string(format_name(format)) + ", the option is for " + list,
                    std::string(rule->option),
                    rule->option == "labels" && options_use_columns(format)
                        ? "--target names the column of the labels"
                        : "if the format was guessed wrongly, name it with --format");
}

}  // namespace lazylogit::io
