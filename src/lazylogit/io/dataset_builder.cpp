#include "lazylogit/io/dataset_builder.hpp"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <new>
#include <utility>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/io/feature_order.hpp"
#include "lazylogit/io/optional_column.hpp"
#include "lazylogit/io/similar_labels.hpp"
#include "lazylogit/io/text/all_grams.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint32_t not_mapped = 0xFFFFFFFF;

// Values of all blocks; while every one is 1 nothing is stored.
template <class T>
void append_values(data::Values& all, const Buffer<T>& part, bool part_is_ones, std::size_t entries_before) {
  if (std::holds_alternative<data::OnesValues>(all)) {
    if (part_is_ones) return;
    all = Buffer<T>(entries_before, T{1});
  }
  std::get<Buffer<T>>(all).append(part.span());
}

}  // namespace

struct DatasetBuilder::State {
  State(FeatureMode m, const ReadOptions& o, Log& l) : mode(m), options(&o), log(&l), policy(o, l) {}

  FeatureMode mode;
  const ReadOptions* options;
  Log* log;
  BadRowPolicy policy;
  Loaded loaded;
  data::Alphabet labels;  // canonical, by first appearance
  AllGrams grams;         // of documents: those of `loaded`
  absl::flat_hash_set<std::uint64_t> hashes;

  void add_labels(const RowBlock& block);
  void add_entries(RowBlock& block);
  void add_names(RowBlock& block);
  void count_hashes();
  void check_memory() const;
};

DatasetBuilder::DatasetBuilder(FeatureMode mode, const ReadOptions& options, Log& log)
    : state_(std::make_unique<State>(mode, options, log)) {}
DatasetBuilder::~DatasetBuilder() = default;

void DatasetBuilder::State::add_labels(const RowBlock& block) {
  std::vector<ClassId> ids(block.labels.size(), unknown_class);
  for (const std::uint32_t label : block.row_labels) {
    if (label == no_label) {
      loaded.data.labels.push_back(unknown_class);
      continue;
    }
    if (ids[label] == unknown_class) {
      ids[label] = static_cast<ClassId>(labels.intern(block.labels.canonical(label)));
      if (labels.size() > options->limits.max_classes && options->response == data::Response::classes)
        throw LimitError(
            {.message = "found more than " + std::to_string(options->limits.max_classes) +
                        " different labels, which is the limit",
             .hint = "are the labels numbers to be predicted, not classes? Add --loss squared; or see "
                     "--max-classes",
             .code = "too-many-classes"});
    }
    loaded.data.labels.push_back(ids[label]);
  }
}

// Ids of the block become those of all.
void DatasetBuilder::State::add_names(RowBlock& block) {
  if (!block.grams.empty()) {
    Buffer<std::uint32_t> map;
    grams.merge(block.grams, loaded.data.features, map);
    for (std::uint32_t& id : block.ids) id = map[id];
    return;
  }
  std::vector<std::uint32_t> map(block.names.size(), not_mapped);
  for (std::uint32_t& id : block.ids) {
    if (map[id] == not_mapped) map[id] = loaded.data.features.intern(block.names.name(id));
    id = map[id];
  }
}

void DatasetBuilder::State::add_entries(RowBlock& block) {
  data::SparseMatrix& x = loaded.data.x;
  const std::size_t before = x.ids.size();
  if (mode == FeatureMode::named) add_names(block);
  x.ids.append(block.ids.span());
  const std::size_t row_before = x.row_offsets.size();
  x.row_offsets.resize(row_before + block.num_rows());
  for (std::size_t i = 0; i < block.num_rows(); ++i)
    x.row_offsets[row_before + i] = before + block.row_ends[i];
  if (block.store_double)
    append_values(x.values, block.values64, block.all_ones, before);
  else
    append_values(x.values, block.values32, block.all_ones, before);
}

void DatasetBuilder::State::check_memory() const {
  if (options->limits.max_memory == 0) return;
  const data::Dataset& d = loaded.data;
  const std::size_t value_bytes = std::holds_alternative<Buffer<double>>(d.x.values)  ? 8
                                  : std::holds_alternative<Buffer<float>>(d.x.values) ? 4
                                                                                      : 0;
  const std::uint64_t bytes = d.x.ids.size() * (4 + value_bytes) + d.x.row_offsets.size() * 12 +
                              d.features.memory_bytes() + grams.memory_bytes() + hashes.size() * 9 +
                              (d.weights.size() + d.offsets.size()) * 8;
  if (bytes > options->limits.max_memory)
    throw LimitError({.message = "the data needs more than " + std::to_string(options->limits.max_memory) +
                                 " bytes of memory, which is the limit",
                      .hint = "see --max-memory",
                      .code = "memory-limit"});
}

void DatasetBuilder::reserve(const RowBlock& first, double num_blocks) {
  constexpr double most_blocks = 1 << 16, smallest_worth = 8;
  if (!(num_blocks >= smallest_worth)) return;
  const double blocks = std::min(num_blocks * 1.05, most_blocks);
  const auto room = [&](std::size_t size) {
    return static_cast<std::size_t>(static_cast<double>(size) * blocks);
  };
  data::Dataset& d = state_->loaded.data;
  try {
    d.x.ids.reserve(room(first.ids.size()));
    if (!first.all_ones && first.store_double)
      d.x.values.emplace<Buffer<double>>().reserve(room(first.ids.size()));
    else if (!first.all_ones)
      d.x.values.emplace<Buffer<float>>().reserve(room(first.ids.size()));
  } catch (const std::bad_alloc&) {  // a guess too large for this machine: grow step by step
  }
}

void DatasetBuilder::add(RowBlock& block) {
  State& s = *state_;
  s.policy.take(block);
  data::Dataset& d = s.loaded.data;
  const std::size_t rows_before = d.num_rows(), rows_now = rows_before + block.num_rows();
  s.add_labels(block);
  s.add_entries(block);
  d.targets.append(block.targets.span());
  append_column(d.weights, block.weights, rows_before, rows_now, 1.0);
  append_column(d.offsets, block.offsets, rows_before, rows_now, 0.0);
  if (!block.row_ids.empty() || !d.ids.empty()) {
    d.ids.resize(rows_before);
    for (std::string& id : block.row_ids) d.ids.push_back(std::move(id));
    d.ids.resize(rows_now);
  }
  s.hashes.insert(block.hashes.begin(), block.hashes.end());
  s.loaded.summary.dropped_rows += block.dropped_rows;
  s.check_memory();
}

void DatasetBuilder::State::count_hashes() {
  const std::uint64_t mask = (std::uint64_t{1} << *options->hash_bits) - 1;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> slots;
  for (const std::uint64_t hash : hashes) ++slots[static_cast<std::uint32_t>(hash & mask)];
  std::uint64_t shared = 0;
  for (const auto& slot : slots)
    if (slot.second > 1) shared += slot.second;
  loaded.summary.hashed_features = hashes.size();
  loaded.summary.shared_slots = shared;
}

Loaded DatasetBuilder::finish(const std::string& first_file, int index_base) {
  State& s = *state_;
  s.policy.finish();
  data::Dataset& d = s.loaded.data;
  ReadSummary& summary = s.loaded.summary;
  summary.rows = d.num_rows();
  summary.bad_rows = s.policy.bad_rows();
  if (d.num_rows() == 0) {
    std::string others;
    const auto add = [&](std::uint64_t count, const char* noun, const char* fate) {
      if (count > 0) others += ", " + counted(count, noun) + (count == 1 ? " was " : " were ") + fate;
    };
    add(summary.bad_rows, "bad row", "skipped");
    add(summary.dropped_rows, "row with missing values", "dropped");
    throw InputError({.message = "found no rows" + others + "; expected at least one",
                      .file = first_file,
                      .code = "no-rows"});
  }
  switch (s.mode) {
    case FeatureMode::indexed:
      number_indices(d.x, d.features, index_base, s.options->min_count);
      break;
    case FeatureMode::named:
      d.x.num_features = d.features.size();
      number_names(d.x, d.features, s.options->min_count);
      break;
    case FeatureMode::hashed:
      number_hashed(d.x, d.features, s.options->min_count);
      s.count_hashes();
      break;
    case FeatureMode::fixed:
      break;
  }
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < s.labels.size(); ++i)
    labels.emplace_back(s.labels.name(static_cast<FeatureId>(i)));
  if (s.options->response == data::Response::classes) {
    warn_about_blanks(labels, *s.log);
    warn_about_case(labels, *s.log);
    warn_about_name_among_numbers(labels, *s.log);
  }
  std::vector<ClassId> order;
  d.classes = data::ClassTable::from_labels(labels, &order);
  for (ClassId& label : d.labels)
    if (label != unknown_class) label = order[static_cast<std::size_t>(label)];
  return std::move(s.loaded);
}

}  // namespace lazylogit::io
