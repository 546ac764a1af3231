#include "lazylogit/io/formats/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/io/cache/cache_file.hpp"
#include "lazylogit/io/cache/cache_writer.hpp"
#include "lazylogit/io/derived/learn_derived.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/label_dictionary.hpp"

namespace lazylogit::io {
namespace {

constexpr std::string_view cache_extensions[] = {"cache"};

int sniff_cache(std::string_view prefix) { return prefix.starts_with(cache_magic) ? 100 : 0; }

CacheFile open_only(std::vector<Input>& inputs) {
  if (inputs.size() > 1)
    throw ConfigError("a cache is read alone: its features are numbered for itself", "format",
                      "convert the parts together");
  return CacheFile(inputs.front());
}

void refuse_feature_options(const ReadOptions& options) {
  const auto refuse = [](const char* option) {
    throw ConfigError("the cache holds the features as it was made with", option, "give it to convert");
  };
  if (options.hash_bits) refuse("hash-bits");
  if (options.min_count > 1) refuse("min-count");
}

void check_labels(const data::Rows& rows, std::uint64_t rows_before, const ReadOptions& options,
                  const std::string& file) {
  if (!options.labels_required || options.response == data::Response::labels) return;
  for (std::size_t i = 0; i < rows.num_rows(); ++i)
    if (rows.labels[i] == unknown_class)
      throw InputError({.message = fmt::format("row {} has no label", rows_before + i + 1),
                        .file = file,
                        .code = "no-label"});
}

Loaded load_all(CacheFile cache, const std::string& file, const ReadOptions& options, Log& log,
                const CancelToken& cancel) {
  Loaded loaded;
  cache.check(log, cancel);
  CacheHeader& header = cache.header();
  if (header.num_rows == 0)
    throw InputError({.message = "found no rows; expected at least one", .file = file, .code = "no-rows"});
  static_cast<data::Rows&>(loaded.data) = cache.take();
  check_labels(loaded.data, 0, options, file);
  loaded.data.features = std::move(header.features);
  loaded.data.classes = std::move(header.classes);
  loaded.data.input = std::move(header.input);
  loaded.data.idf = std::move(header.idf);
  const auto& columns = loaded.data.input.columns;
  if (options.drop_first_category &&
      std::any_of(columns.begin(), columns.end(), [](const data::ColumnSpec& column) {
        return column.type == data::ColumnType::categorical && !column.has_dropped_category;
      }))
    throw ConfigError(
        "the cache has a feature for every category, which the uniform prior cannot tell from the intercept",
        "prior", "read the table itself, or take another prior");
  loaded.summary.rows = header.num_rows;
  loaded.summary.format = Format::cache;
  loaded.summary.target = loaded.data.input.target;
  loaded.summary.text_bytes = header.text_bytes;
  return loaded;
}

Loaded load_cache(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                  const CancelToken& cancel) {
  refuse_feature_options(options);
  return load_all(open_only(inputs), inputs.front().name(), options, log, cancel);
}

// Rows under the names of a model, or of a stream.
class CacheSource final : public RowSource {
 public:
  CacheSource(std::vector<Input> inputs, const FixedNames& names, const ReadOptions& options, Log& log,
              const CancelToken& cancel)
      : inputs_(std::move(inputs)),
        cache_(open_only(inputs_)),
        names_(names),
        options_(&options),
        cancel_(cancel) {
    cache_.check(log, cancel);
    const CacheHeader& header = cache_.header();
    if (header.input.kind != names.input->kind || header.input.hash_bits != names.input->hash_bits)
      throw InputError({.message = "the cache was made from another kind of data than the model",
                        .file = inputs_.front().name(),
                        .code = "wrong-format"});
    columns_.assign(header.num_features, IndexLookup::unknown);
    classes_.assign(header.classes.size(), unknown_class);
    if (names.growing != nullptr && !names.input->hash_bits) return;  // as they appear
    const bool all_slots = names.input->hash_bits && names.features->empty();
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      const std::string_view name = header.features.name(static_cast<FeatureId>(f));
      if (all_slots && name.starts_with('#'))
        std::from_chars(name.data() + 1, name.data() + name.size(), columns_[f]);
      else if (const auto id = names.features->find(name))
        columns_[f] = *id;
    }
    if (all_slots)
      for (std::uint32_t& column : columns_)
        if (column >= names.num_features) column = IndexLookup::unknown;
  }

  bool next(data::Rows& rows) override {
    cancel_.throw_if_cancelled();
    const std::size_t first = summary_.rows;
    if (first >= cache_.header().num_rows) return false;
    cache_.view(first, cache_.block_end(first), part_);
    check_labels(part_, summary_.rows, *options_, inputs_.front().name());
    summary_.rows += part_.num_rows();
    summary_.format = Format::cache;
    std::unique_lock<std::mutex> lock;
    if (names_.growing != nullptr) lock = std::unique_lock(names_.growing->mutex);
    map_entries(rows);
    rows.labels.clear();
    rows.targets.clear();
    rows.label_sets.clear();
    rows.unknown_labels.clear();
    if (names_.input->response == data::Response::classes)
      map_labels(rows);
    else
      map_responses(rows);
    rows.weights.swap(part_.weights);
    rows.offsets.swap(part_.offsets);
    rows.ids.swap(part_.ids);
    return true;
  }
  const ReadSummary& summary() const override { return summary_; }

 private:
  std::uint32_t column_of(FeatureId feature) {
    std::uint32_t& column = columns_[feature];
    if (column == IndexLookup::unknown && names_.growing != nullptr && !names_.input->hash_bits)
      column = names_.growing->features.intern(cache_.header().features.name(feature));
    return column;
  }

  void map_entries(data::Rows& rows) {
    Buffer<double> values;
    rows.x.ids.clear();
    rows.x.row_offsets.clear();
    rows.x.row_offsets.push_back(0);
    for (std::size_t i = 0; i < part_.num_rows(); ++i) {
      row_.clear();
      for (std::uint64_t k = part_.x.row_offsets[i]; k < part_.x.row_offsets[i + 1]; ++k) {
        const std::uint32_t column = column_of(part_.x.ids[k]);
        if (column == IndexLookup::unknown)
          ++summary_.unknown_features;
        else
          row_.emplace_back(column, part_.x.value(k));
      }
      if (names_.growing == nullptr)
        std::sort(row_.begin(), row_.end());  // a stream wants the order of the row
      for (const auto& [column, value] : row_) {
        rows.x.ids.push_back(column);
        values.push_back(value);
      }
      rows.x.row_offsets.push_back(rows.x.ids.size());
    }
    rows.x.values = std::move(values);
    rows.x.num_features = names_.growing != nullptr && !names_.input->hash_bits
                              ? names_.growing->features.size()
                              : names_.num_features;
  }

  // The classes of the cache as numbers or sets, each looked at once.
  void read_responses() {
    labels_.set_response(names_.input->response);
    for (const std::string& label : cache_.header().classes.labels()) {
      const auto id = labels_.intern(label);
      if (!id)
        throw InputError(
            {.message = "found the label " + quote_text(label) + ", expected " + labels_.expected(),
             .file = inputs_.front().name(),
             .code = "bad-label"});
      if (names_.input->response == data::Response::number) continue;
      std::vector<ClassId>& set = sets_.emplace_back();
      for (const std::string_view one : labels_of_set(labels_.canonical(*id)))
        set.push_back(names_.classes->find(one));
      std::sort(set.begin(), set.end());
    }
  }

  void map_responses(data::Rows& rows) {
    if (!responses_are_read_) read_responses();
    responses_are_read_ = true;
    std::vector<ClassId> known;
    for (const ClassId label : part_.labels) {
      if (names_.input->response == data::Response::number) {
        rows.targets.push_back(label == unknown_class ? std::numeric_limits<double>::quiet_NaN()
                                                      : labels_.number(static_cast<std::uint32_t>(label)));
        continue;
      }
      known.clear();
      if (label != unknown_class)
        for (const ClassId c : sets_[static_cast<std::size_t>(label)])
          if (c != unknown_class) known.push_back(c);
      if (label != unknown_class && known.size() < sets_[static_cast<std::size_t>(label)].size())
        ++summary_.unknown_labels;
      rows.label_sets.push_back(known);
    }
  }

  void map_labels(data::Rows& rows) {
    for (const ClassId label : part_.labels) {
      if (label == unknown_class) {
        rows.labels.push_back(unknown_class);
        continue;
      }
      ClassId& known = classes_[static_cast<std::size_t>(label)];
      const std::string& text = cache_.header().classes.label(label);
      if (known == unknown_class && names_.growing != nullptr) {
        const std::size_t before = names_.growing->labels.size();
        known = static_cast<ClassId>(names_.growing->labels.intern(text));
        if (names_.growing->labels.size() > before) rows.unknown_labels.push_back(text);
      } else if (known == unknown_class) {
        known = names_.classes->find(text);
        if (known == unknown_class) {
          ++summary_.unknown_labels;
          if (std::find(rows.unknown_labels.begin(), rows.unknown_labels.end(), text) ==
              rows.unknown_labels.end())
            rows.unknown_labels.push_back(text);
        }
      }
      rows.labels.push_back(known);
    }
  }

  std::vector<Input> inputs_;
  CacheFile cache_;
  FixedNames names_;
  const ReadOptions* options_;
  CancelToken cancel_;
  ReadSummary summary_;
  data::Rows part_;
  std::vector<std::uint32_t> columns_;  // by feature of the cache
  std::vector<ClassId> classes_;        // by class of the cache
  LabelDictionary labels_;              // numbers or sets, by class of the cache
  std::vector<std::vector<ClassId>> sets_;
  bool responses_are_read_ = false;
  std::vector<std::pair<std::uint32_t, double>> row_;
};

std::unique_ptr<RowSource> open_cache(std::vector<Input> inputs, const FixedNames& names,
                                      const ReadOptions& options, Log& log, const CancelToken& cancel) {
  return std::make_unique<CacheSource>(std::move(inputs), names, options, log, cancel);
}

data::InputSpec outline_cache(std::vector<Input>& inputs, const ReadOptions& options, Log&) {
  refuse_feature_options(options);
  for (Input& input : inputs) input.make_rewindable();
  return open_only(inputs).header().input;
}

// Nothing when there is something that cannot be looked at again.
std::string fingerprint(const std::vector<Input>& inputs, const ReadOptions& options) {
  std::string text = config::non_defaults_json(read_fields().fields, &options);
  text += options.drop_first_category ? "|dropped" : "|";
  for (const Input& input : inputs) {
    struct stat status = {};
    if (::stat(input.name().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    text += fmt::format("|{}|{}|{}.{}", input.name(), status.st_size, status.st_mtim.tv_sec,
                        status.st_mtim.tv_nsec);
  }
  return text;
}

}  // namespace

FormatEntry cache_format() {
  return {.format = Format::cache,
          .name = "cache",
          .extensions = cache_extensions,
          .precision = Precision::float64,
          .sniff = sniff_cache,
          .load = load_cache,
          .open = open_cache,
          .outline = outline_cache};
}

namespace {

// What `cache` is: nothing, or a cache of another version or of other data, which is made again; or the one that is wanted.
std::optional<CacheFile> usable(const std::string& cache, std::string_view made_from, const Limits& limits,
                                Log& log) {
  struct stat status = {};
  if (::stat(cache.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return {};
  std::vector<Input> one;
  one.emplace_back(cache, limits);
  const std::string_view head = one.front().peek(12);
  if (sniff_cache(head) == 0)
    throw ConfigError(quote_text(cache) + " is there already, and it is no cache", "cache",
                      "choose another name");
  std::uint32_t major = 0;
  if (head.size() >= 12) std::memcpy(&major, head.data() + 8, sizeof major);
  if (major != cache_major) {
    log.notice("the cache " + quote_text(cache) + " is of another version; it is made again");
    return {};
  }
  if (made_from.empty()) return {};
  CacheFile file = open_only(one);
  if (file.header().fingerprint == made_from) return file;
  log.notice("the cache " + quote_text(cache) + " is of other data or options; it is made again");
  return {};
}

Loaded load_base_through_cache(const std::vector<std::string>& arguments, const std::string& cache,
                               const ReadOptions& options, Log& log, const CancelToken& cancel) {
  const std::string made_from = fingerprint(expand_inputs(arguments, options.limits), options);
  if (auto file = usable(cache, made_from, options.limits, log)) {
    log.notice("reading the cache " + quote_text(cache));
    return load_all(std::move(*file), cache, options, log, cancel);
  }
  ReadSummary summary;
  {
    OutputFile out(cache);
    const SpoolScope scope(directory_of(cache));
    const Loaded loaded = load(arguments, options, log, cancel);
    write_cache(loaded.data, loaded.summary.text_bytes, made_from,
                [&](std::string_view bytes) { out.write(bytes); });
    cancel.throw_if_cancelled();
    out.commit();
    summary = loaded.summary;
    if (out.is_direct()) return load(arguments, options, log, cancel);
  }
  std::vector<Input> one;
  one.emplace_back(cache, options.limits);
  Loaded loaded = load_all(open_only(one), cache, options, log, cancel);
  loaded.summary = summary;
  return loaded;
}

}  // namespace

// The cache holds base features: what is derived from them may change without reading the text again.
Loaded load_through_cache(const std::vector<std::string>& arguments, const std::string& cache,
                          const ReadOptions& options, Log& log, const CancelToken& cancel) {
  ReadOptions base = base_options(options);
  base.derived = {};
  Loaded loaded = load_base_through_cache(arguments, cache, base, log, cancel);
  learn_derived(loaded, options, log, cancel);
  return loaded;
}

}  // namespace lazylogit::io
