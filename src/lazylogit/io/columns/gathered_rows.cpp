#include "lazylogit/io/columns/gathered_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t rows_per_block = 4096;
constexpr std::size_t entries_per_block = std::size_t{1} << 18;

// What becomes of each id.
struct FinalIds {
  Buffer<std::uint32_t> feature;   // no_feature: left out
  Buffer<std::uint32_t> stand_in;  // where the value is NaN
  Buffer<double> impute;           // … its value

  FinalIds(const LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout) {
    const std::uint32_t first = first_category_entry(plan);
    feature = Buffer<std::uint32_t>(first + table.num_categories, no_feature);
    stand_in = Buffer<std::uint32_t>(first, no_feature);
    impute = Buffer<double>(first, 1.0);
    for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
      const ColumnFeatures& features = layout.columns[c];
      const std::uint32_t mark = missing_entry(plan, c);
      feature[c] = stand_in[c] = features.feature;
      impute[c] = features.impute;
      feature[mark] = features.indicator;
      stand_in[mark] = features.impute_feature;
      const LearnedColumn& learned = table.columns[c];
      for (std::size_t value = 0; value < learned.entries.size(); ++value)
        feature[learned.entries[value]] = features.of_value.empty() ? no_feature : features.of_value[value];
    }
  }
};

// What becomes of ids that were renumbered while they were gathered; whether every one stays as it is.
struct Renaming {
  Buffer<std::uint32_t> feature;
  bool is_needed = false;

  Renaming(const FinalIds& ids, const Buffer<std::uint32_t>& renumbered) {
    feature.reserve(ids.feature.size());
    for (std::uint32_t id = 0; id < ids.feature.size(); ++id) {
      feature.push_back(ids.feature[id < renumbered.size() ? renumbered[id] : id]);
      // What has no feature does not occur.
      is_needed = is_needed || (feature.back() != id && feature.back() != no_feature);
    }
  }
};

// Whether entries need nothing but their new id.
bool stays_in_place(const LearnedTable& table, const FinalIds& ids, const FeatureLayout& layout) {
  if (layout.hashed_features) return false;
  for (std::uint32_t c = 0; c < table.columns.size(); ++c) {
    const ColumnFacts& facts = table.columns[c].facts;
    if (facts.missing > 0) return false;
    const bool has_entries = facts.has_number && (facts.varied || facts.first != 0);
    if (has_entries && ids.feature[c] == no_feature) return false;
    for (const std::uint32_t entry : table.columns[c].entries)
      if (ids.feature[entry] == no_feature) return false;
  }
  return true;
}

struct Entry {
  std::uint32_t id;
  double value;
};

// Sorts by slot and adds up what shares one; sums of zero are left out.
void merge_slots(std::vector<Entry>& row) {
  std::stable_sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  std::size_t to = 0;
  for (std::size_t k = 0; k < row.size();) {
    Entry sum = {row[k].id, 0};
    for (; k < row.size() && row[k].id == sum.id; ++k) sum.value += row[k].value;
    if (sum.value != 0) row[to++] = sum;
  }
  row.resize(to);
}

class Finisher {
 public:
  Finisher(RowBlock& all, const FinalIds& ids, const Buffer<std::uint32_t>& renumbered, bool hashed)
      : all_(&all), ids_(&ids), renumbered_(&renumbered), hashed_(hashed) {}

  // Every id is replaced where it stands.
  void rename() {
    const Renaming names(*ids_, *renumbered_);
    if (!names.is_needed) return;
    Buffer<std::uint32_t>& ids = all_->ids;
    parallel_blocks(num_blocks_of(ids.size(), entries_per_block), [&](std::size_t i) {
      const std::size_t end = std::min(ids.size(), (i + 1) * entries_per_block);
      for (std::size_t k = i * entries_per_block; k < end; ++k) ids[k] = names.feature[ids[k]];
    });
  }

  // Rows become shorter: each block of rows to its own start first, then the blocks to theirs.
  void rewrite() {
    const std::size_t num_rows = all_->num_rows();
    const std::size_t blocks = num_blocks_of(num_rows, rows_per_block);
    std::vector<std::size_t> begins(blocks), sizes(blocks);
    parallel_blocks(blocks, [&](std::size_t i) {
      const std::size_t first = i * rows_per_block;
      begins[i] = first == 0 ? 0 : all_->row_ends[first - 1];
    });
    parallel_blocks(blocks, [&](std::size_t i) {
      const std::size_t first = i * rows_per_block;
      sizes[i] = rewrite_rows(first, std::min(num_rows, first + rows_per_block), begins[i]);
    });
    std::size_t to = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      if (sizes[i] > 0 && to < begins[i]) {
        std::memmove(all_->ids.data() + to, all_->ids.data() + begins[i], sizes[i] * sizeof(std::uint32_t));
        std::memmove(all_->values64.data() + to, all_->values64.data() + begins[i],
                     sizes[i] * sizeof(double));
      }
      const std::size_t last = std::min(num_rows, (i + 1) * rows_per_block);
      for (std::size_t r = i * rows_per_block; r < last; ++r) all_->row_ends[r] -= begins[i] - to;
      to += sizes[i];
    }
    all_->ids.resize(to);
    all_->values64.resize(to);
  }

 private:
  // Rows [first, last), whose entries start at `begin`; the number of entries that are left.
  std::size_t rewrite_rows(std::size_t first, std::size_t last, std::size_t begin) {
    std::vector<Entry> row;
    std::size_t from = begin, to = begin;
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t end = all_->row_ends[r];
      row.clear();
      for (; from < end; ++from) {
        std::uint32_t id = all_->ids[from];
        if (id < renumbered_->size()) id = (*renumbered_)[id];
        double value = all_->values64[from];
        const bool absent = std::isnan(value);
        if (absent) value = ids_->impute[id];
        id = absent ? ids_->stand_in[id] : ids_->feature[id];
        if (id != no_feature && value != 0) row.push_back({id, value});
      }
      if (hashed_) merge_slots(row);
      for (const Entry& entry : row) {
        all_->ids[to] = entry.id;
        all_->values64[to++] = entry.value;
      }
      all_->row_ends[r] = to;
    }
    return to - begin;
  }

  RowBlock* all_;
  const FinalIds* ids_;
  const Buffer<std::uint32_t>* renumbered_;
  bool hashed_;
};

[[noreturn]] void fail_narrow(double value) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.message = "the value " + std::to_string(value) + " is beyond the range of float32";
  detail.hint = "--precision float64 holds it";
  detail.code = "overflow";
  throw InputError(std::move(detail));
}

// From the end, giving memory back on the way: both forms together never take much more than one.
Buffer<float> narrow(Buffer<double>& wide) {
  Buffer<float> values;
  values.resize(wide.size());
  while (!wide.empty()) {
    const std::size_t last = wide.size(), first = last > entries_per_block ? last - entries_per_block : 0;
    for (std::size_t k = first; k < last; ++k) {
      values[k] = static_cast<float>(wide[k]);
      if (!std::isfinite(values[k])) fail_narrow(wide[k]);
    }
    wide.resize(first);
    wide.shrink_to_fit();
  }
  return values;
}

}  // namespace

void reserve_gathered_rows(const RowBlock& first, double num_blocks, RowBlock& all) {
  constexpr double most_blocks = 1 << 16, smallest_worth = 8;
  if (!(num_blocks >= smallest_worth)) return;
  const double blocks = std::min(num_blocks * 1.05, most_blocks);
  const auto entries = static_cast<std::size_t>(static_cast<double>(first.ids.size()) * blocks);
  try {
    all.ids.reserve(entries);
    all.values64.reserve(entries);
  } catch (const std::bad_alloc&) {  // a guess too large for this machine: grow step by step
  }
}

void gather_rows(RowBlock& block, const Buffer<std::uint32_t>& to_table, RowBlock& all) {
  const std::uint64_t entries_before = all.ids.size();
  const std::size_t rows_before = all.num_rows();
  all.row_ends.append(block.row_ends.span());
  for (std::size_t r = rows_before; r < all.num_rows(); ++r) all.row_ends[r] += entries_before;
  all.ids.resize(entries_before + block.ids.size());
  std::uint32_t* to = all.ids.data() + entries_before;
  for (const std::uint32_t id : block.ids) *to++ = to_table[id];
  all.values64.append(block.values64.span());
  all.row_labels.append(block.row_labels.span());
  all.targets.append(block.targets.span());
  all.weights.append(block.weights.span());
  all.offsets.append(block.offsets.span());
  for (std::string& id : block.row_ids) all.row_ids.push_back(std::move(id));
}

data::Rows take_gathered_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                              Precision precision) {
  RowBlock& all = table.blocks.front().table.rows;
  {
    const FinalIds ids(table, plan, layout);
    Finisher finisher(all, ids, table.renumbered, layout.hashed_features.has_value());
    if (stays_in_place(table, ids, layout))
      finisher.rename();
    else
      finisher.rewrite();
  }
  data::Rows rows;
  rows.x.row_offsets.append(all.row_ends.span());
  rows.x.ids = std::move(all.ids);
  rows.x.ids.shrink_to_fit();
  rows.x.num_features = layout.num_features;
  if (!std::all_of(all.values64.begin(), all.values64.end(), [](double value) { return value == 1; })) {
    if (precision == Precision::float32) {
      rows.x.values = narrow(all.values64);
    } else {
      all.values64.shrink_to_fit();
      rows.x.values = std::move(all.values64);
    }
  }
  rows.labels.reserve(all.row_labels.size());
  for (const std::uint32_t label : all.row_labels)
    rows.labels.push_back(label == no_label ? unknown_class : static_cast<ClassId>(label));
  rows.targets = std::move(all.targets);
  rows.weights = std::move(all.weights);
  rows.offsets = std::move(all.offsets);
  rows.ids = std::move(all.row_ids);
  table.blocks.clear();
  return rows;
}

}  // namespace lazylogit::io
