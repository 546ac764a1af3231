#include "lazylogit/io/columns/gathered_result.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/columns/narrow_value.hpp"
#include "lazylogit/io/matrix_blocks.hpp"

namespace lazylogit::io {
namespace {

// What becomes of each id.
struct FinalIds {
  Buffer<std::uint32_t> feature;   // no_feature: left out
  Buffer<std::uint32_t> stand_in;  // where the value is NaN; none where no cell is missing
  Buffer<double> impute;           // … its value

  FinalIds(const LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout) {
    const std::uint32_t first = first_category_entry(plan);
    feature = Buffer<std::uint32_t>(first, no_feature);
    feature.append(layout.value_features.span());
    const bool any_missing = table.facts.any_missing();
    if (any_missing) {
      stand_in = Buffer<std::uint32_t>(first, no_feature);
      impute = Buffer<double>(first, 1.0);
    }
    for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
      const ColumnFeatures& features = layout.columns[c];
      const std::uint32_t mark = missing_entry(plan, c);
      feature[c] = features.feature;
      feature[mark] = features.indicator;
      if (any_missing) {
        stand_in[c] = features.feature;
        impute[c] = features.impute;
        stand_in[mark] = features.impute_feature;
      }
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
  for (std::uint32_t c = 0; c < table.facts.size(); ++c) {
    const ColumnFacts& facts = table.facts[c];
    if (facts.missing > 0) return false;
    const bool has_entries = facts.has_number != 0 && (facts.varied != 0 || facts.first != 0);
    if (has_entries && ids.feature[c] == no_feature) return false;
  }
  return std::find(layout.value_features.begin(), layout.value_features.end(), no_feature) ==
         layout.value_features.end();
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
  Finisher(GatheredRows& all, const FinalIds& ids, const Buffer<std::uint32_t>& renumbered, bool hashed)
      : ids_(&ids),
        renumbered_(&renumbered),
        hashed_(hashed),
        all_ones_(all.all_ones),
        entry_ids_(&all.rows.x.ids),
        values_(&all.values),
        row_offsets_(&all.rows.x.row_offsets) {}

  // Every id is replaced where it stands.
  void rename() {
    const Renaming names(*ids_, *renumbered_);
    if (!names.is_needed) return;
    Buffer<std::uint32_t>& ids = *entry_ids_;
    parallel_blocks(num_blocks_of(ids.size(), entries_per_block), [&](std::size_t i) {
      const std::size_t end = std::min(ids.size(), (i + 1) * entries_per_block);
      for (std::size_t k = i * entries_per_block; k < end; ++k) ids[k] = names.feature[ids[k]];
    });
  }

  // Rows become shorter: each block of rows to its own start first, then the blocks to theirs.
  void rewrite() {
    Buffer<std::uint64_t>& offsets = *row_offsets_;
    const std::size_t num_rows = offsets.size() - 1;
    const std::size_t blocks = num_blocks_of(num_rows, rows_per_block);
    std::vector<std::size_t> begins(blocks), sizes(blocks);
    for (std::size_t i = 0; i < blocks; ++i) begins[i] = offsets[i * rows_per_block];
    parallel_blocks(blocks, [&](std::size_t i) {
      const std::size_t first = i * rows_per_block;
      sizes[i] = rewrite_rows(first, std::min(num_rows, first + rows_per_block), begins[i]);
    });
    std::size_t to = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      if (sizes[i] > 0 && to < begins[i]) {
        std::memmove(entry_ids_->data() + to, entry_ids_->data() + begins[i],
                     sizes[i] * sizeof(std::uint32_t));
        if (!all_ones_)
          std::memmove(values_->data() + to, values_->data() + begins[i], sizes[i] * sizeof(double));
      }
      const std::size_t last = std::min(num_rows, (i + 1) * rows_per_block);
      for (std::size_t r = i * rows_per_block; r < last; ++r) offsets[r + 1] -= begins[i] - to;
      to += sizes[i];
    }
    entry_ids_->resize(to);
    if (!all_ones_) values_->resize(to);
  }

 private:
  // Rows [first, last), whose entries start at `begin`; the number of entries that are left.
  std::size_t rewrite_rows(std::size_t first, std::size_t last, std::size_t begin) {
    std::vector<Entry> row;
    std::size_t from = begin, to = begin;
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t end = (*row_offsets_)[r + 1];
      row.clear();
      for (; from < end; ++from) {
        std::uint32_t id = (*entry_ids_)[from];
        if (id < renumbered_->size()) id = (*renumbered_)[id];
        double value = all_ones_ ? 1 : (*values_)[from];
        const bool absent = std::isnan(value);
        if (absent) value = ids_->impute[id];
        id = absent ? ids_->stand_in[id] : ids_->feature[id];
        if (id != no_feature && value != 0) row.push_back({id, value});
      }
      if (hashed_) merge_slots(row);
      for (const Entry& entry : row) {
        (*entry_ids_)[to] = entry.id;
        if (!all_ones_) (*values_)[to] = entry.value;
        ++to;
      }
      (*row_offsets_)[r + 1] = to;
    }
    return to - begin;
  }

  const FinalIds* ids_;
  const Buffer<std::uint32_t>* renumbered_;
  bool hashed_, all_ones_;
  Buffer<std::uint32_t>* entry_ids_;
  Buffer<double>* values_;
  Buffer<std::uint64_t>* row_offsets_;
};

// From the end, giving memory back on the way: both forms together never take much more than one.
Buffer<float> narrow(Buffer<double>& wide) {
  Buffer<float> values;
  values.resize(wide.size());
  while (!wide.empty()) {
    const std::size_t last = wide.size(), first = last > entries_per_block ? last - entries_per_block : 0;
    for (std::size_t k = first; k < last; ++k) values[k] = narrow_value(wide[k]);
    wide.resize(first);
    wide.shrink_to_fit();
  }
  return values;
}

}  // namespace

data::Rows take_gathered_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                              Precision precision) {
  GatheredRows all = std::exchange(table.gathered, {});
  {
    const FinalIds ids(table, plan, layout);
    if (layout.hashed_features) store_ones(all);  // some will share a slot
    Finisher finisher(all, ids, table.renumbered, layout.hashed_features.has_value());
    if (stays_in_place(table, ids, layout))
      finisher.rename();
    else
      finisher.rewrite();
  }
  data::SparseMatrix& x = all.rows.x;
  x.num_features = layout.num_features;
  x.row_offsets.shrink_to_fit();
  x.ids.shrink_to_fit();
  all.rows.labels.shrink_to_fit();
  if (!all.all_ones &&
      !std::all_of(all.values.begin(), all.values.end(), [](double value) { return value == 1; })) {
    if (precision == Precision::float32) {
      x.values = narrow(all.values);
    } else {
      all.values.shrink_to_fit();
      x.values = std::move(all.values);
    }
  }
  return std::move(all.rows);
}

}  // namespace lazylogit::io
