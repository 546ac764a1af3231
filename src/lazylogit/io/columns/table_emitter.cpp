#include "lazylogit/io/columns/table_emitter.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/base/free_memory.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/columns/gathered_result.hpp"
#include "lazylogit/io/columns/narrow_value.hpp"
#include "lazylogit/io/text/tfidf.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

struct EmittedBlock {
  Buffer<std::uint64_t> row_ends;
  Buffer<FeatureId> ids;
  Buffer<double> values;
  bool all_ones = true;
};

class BlockEmitter {
 public:
  BlockEmitter(const TablePlan& plan, const FeatureLayout& layout, const TableBlock& block, EmittedBlock& out)
      : plan_(&plan), layout_(&layout), block_(&block), out_(&out) {
    for (std::uint32_t c = 0; c < plan.columns.size(); ++c)
      if (plan.columns[c].role == ColumnRole::feature && plan.columns[c].type != ColumnType::numeric)
        other_columns_.push_back(c);
  }

  void emit() {
    out_->row_ends.clear();
    out_->ids.clear();
    out_->values.clear();
    out_->all_ones = true;
    const RowBlock& rows = block_->rows;
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      const std::size_t begin = out_->ids.size();
      std::size_t k = r == 0 ? 0 : rows.row_ends[r - 1];
      const std::size_t end = rows.row_ends[r];
      for (const std::uint32_t c : other_columns_) {
        for (; k < end && rows.ids[k] < c; ++k) emit_number(rows.ids[k], rows.values64[k]);
        if (plan_->columns[c].type == ColumnType::categorical)
          emit_category(c, r);
        else if (plan_->columns[c].type == ColumnType::text)
          emit_text(c, r);
        else
          emit_nested(c, r);
      }
      for (; k < end; ++k) emit_number(rows.ids[k], rows.values64[k]);
      if (layout_->hashed_features) merge_slots(begin);
      out_->row_ends.push_back(out_->ids.size());
    }
    out_->all_ones =
        std::all_of(out_->values.begin(), out_->values.end(), [](double value) { return value == 1.0; });
  }

 private:
  void put(std::uint32_t feature, double value) {
    if (feature == no_feature || value == 0) return;
    out_->ids.push_back(feature);
    out_->values.push_back(value);
  }

  void emit_number(std::uint32_t c, double value) {
    const ColumnFeatures& features = layout_->columns[c];
    if (std::isnan(value)) {
      put(features.feature, features.impute);
      put(features.indicator, 1.0);
    } else {
      put(features.feature, value);
    }
  }

  void emit_category(std::uint32_t c, std::size_t r) {
    const ColumnFeatures& features = layout_->columns[c];
    const std::uint32_t code = block_->codes[r * plan_->num_categorical + plan_->columns[c].slot];
    if (code != missing_code) return put(layout_->value_features[code], 1.0);
    put(features.impute_feature, 1.0);
    put(features.indicator, 1.0);
  }

  void emit_text(std::uint32_t c, std::size_t r) {
    const std::uint32_t slot = plan_->columns[c].slot;
    const std::size_t cell = r * plan_->num_texts + slot, first = out_->ids.size();
    const SparseCells<float>& texts = block_->texts;
    const std::uint32_t begin = cell == 0 ? 0 : texts.ends[cell - 1];
    if (begin < texts.ends[cell] && texts.ids[begin] == missing_code)
      return put(layout_->columns[c].indicator, 1.0);
    if (layout_->gram_features.empty())
      put_cell(texts, cell, [&](std::uint32_t id) { return layout_->value_features[id]; });
    else
      put_cell(texts, cell, [&](std::uint32_t id) { return layout_->gram_features[slot].of(id); });
    if (plan_->text.tfidf)
      apply_tfidf<double>({out_->ids.data() + first, out_->ids.size() - first},
                          {out_->values.data() + first, out_->ids.size() - first}, layout_->idf);
  }

  void emit_nested(std::uint32_t c, std::size_t r) {
    put_cell(block_->nested, r * plan_->num_nested + plan_->columns[c].slot,
             [&](std::uint32_t id) { return layout_->value_features[id]; });
  }

  // The entries of a cell in the order of their features.
  template <class Amount, class FeatureOf>
  void put_cell(const SparseCells<Amount>& cells, std::size_t cell, FeatureOf feature_of) {
    entries_.clear();
    for (std::uint32_t k = cell == 0 ? 0 : cells.ends[cell - 1]; k < cells.ends[cell]; ++k) {
      const std::uint32_t feature = feature_of(cells.ids[k]);
      if (feature != no_feature) entries_.push_back({feature, static_cast<double>(cells.amounts[k])});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      if (k + 1 < entries_.size() && entries_[k + 1].id == entries_[k].id)
        entries_[k + 1].value += entries_[k].value;  // hashed into the same slot
      else
        put(entries_[k].id, entries_[k].value);
    }
  }

  // Under --hash-bits: sorts the row that starts at `begin` and adds up the values of equal slots.
  void merge_slots(std::size_t begin) {
    entries_.clear();
    for (std::size_t k = begin; k < out_->ids.size(); ++k)
      entries_.push_back({out_->ids[k], out_->values[k]});
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.id < b.id; });
    out_->ids.resize(begin);
    out_->values.resize(begin);
    for (std::size_t k = 0; k < entries_.size();) {
      double sum = 0;
      const std::uint32_t id = entries_[k].id;
      for (; k < entries_.size() && entries_[k].id == id; ++k) sum += entries_[k].value;
      put(id, sum);
    }
  }

  struct Entry {
    std::uint32_t id;
    double value;
  };
  const TablePlan* plan_;
  const FeatureLayout* layout_;
  const TableBlock* block_;
  EmittedBlock* out_;
  std::vector<std::uint32_t> other_columns_;
  std::vector<Entry> entries_;
};

// The growing result. Values are stored from the first one that is not 1.
class RowsAppender {
 public:
  // Room is made for so many rows and entries at most: address space only, and what grows need not move.
  RowsAppender(Precision precision, std::size_t num_rows, std::size_t num_entries)
      : wide_(precision == Precision::float64), num_entries_(num_entries) {
    rows_.x.row_offsets.reserve(1 + num_rows);
    rows_.labels.reserve(num_rows);
    rows_.x.ids.reserve(num_entries);
  }

  void append(const EmittedBlock& block, RowBlock& source) {
    data::SparseMatrix& x = rows_.x;
    const std::size_t before = x.ids.size();
    for (const std::uint64_t end : block.row_ends) x.row_offsets.push_back(before + end);
    x.ids.append(block.ids.span());
    if (ones_ && !block.all_ones) {
      ones_ = false;
      if (wide_)
        x.values = ones<double>(before);
      else
        x.values = ones<float>(before);
    }
    if (!ones_) append_values(block.values);
    for (const std::uint32_t label : source.row_labels)
      rows_.labels.push_back(label == no_label ? unknown_class : static_cast<ClassId>(label));
    rows_.targets.append(source.targets.span());
    rows_.weights.append(source.weights.span());
    rows_.offsets.append(source.offsets.span());
    for (std::string& id : source.row_ids) rows_.ids.push_back(std::move(id));
  }

  data::Rows finish(std::size_t num_features) {
    rows_.x.num_features = num_features;
    rows_.x.ids.shrink_to_fit();
    if (auto* stored = std::get_if<Buffer<double>>(&rows_.x.values)) stored->shrink_to_fit();
    if (auto* stored = std::get_if<Buffer<float>>(&rows_.x.values)) stored->shrink_to_fit();
    return std::move(rows_);
  }

 private:
  template <class Value>
  Buffer<Value> ones(std::size_t size) const {
    Buffer<Value> values;
    values.reserve(num_entries_);
    values.resize(size);
    std::fill(values.begin(), values.end(), Value{1});
    return values;
  }
  void append_values(const Buffer<double>& values) {
    if (auto* stored = std::get_if<Buffer<double>>(&rows_.x.values)) {
      stored->append(values.span());
      return;
    }
    auto& stored = std::get<Buffer<float>>(rows_.x.values);
    for (const double value : values) stored.push_back(narrow_value(value));
  }

  data::Rows rows_;
  bool wide_;
  std::size_t num_entries_;
  bool ones_ = true;
};

// How many the rows of a block have at most, but for the marks of missing cells.
std::size_t most_entries(const TableBlock& block) noexcept {
  return block.rows.ids.size() + block.codes.size() + block.texts.ids.size() + block.nested.ids.size();
}

std::size_t memory_bytes(const TableBlock& block) noexcept {
  const auto bytes_of = [](const auto& buffer) { return buffer.span().size_bytes(); };
  return bytes_of(block.rows.ids) + bytes_of(block.rows.values64) + bytes_of(block.codes) +
         bytes_of(block.texts.ids) + bytes_of(block.texts.amounts) + bytes_of(block.nested.ids) +
         bytes_of(block.nested.amounts);
}

}  // namespace

data::Rows emit_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                     Precision precision, const CancelToken& cancel) {
  if (plan.is_gathered()) return take_gathered_rows(table, plan, layout, precision);
  // Blocks between two appends, and bytes of blocks: they bound the extra memory.
  constexpr std::size_t group = 8, group_bytes = std::size_t{16} << 20;
  std::size_t num_entries = 0;
  for (std::size_t c = 0; c < table.facts.size(); ++c) num_entries += table.facts[c].missing;
  for (const TableBlock& block : table.blocks) num_entries += most_entries(block);
  RowsAppender appender(precision, table.num_rows, num_entries);
  std::vector<EmittedBlock> emitted(group);  // memory used again and again
  std::size_t bytes_freed = 0;
  for (std::size_t first = 0, count = 0; first < table.blocks.size(); first += count) {
    cancel.throw_if_cancelled();
    std::size_t bytes = memory_bytes(table.blocks[first]);
    for (count = 1; count < std::min(group, table.blocks.size() - first); ++count) {
      bytes += memory_bytes(table.blocks[first + count]);
      if (bytes > group_bytes) break;
    }
    parallel_blocks(count, [&](std::size_t i) {
      BlockEmitter(plan, layout, table.blocks[first + i], emitted[i]).emit();
    });
    for (std::size_t i = 0; i < count; ++i) {
      appender.append(emitted[i], table.blocks[first + i].rows);
      bytes_freed += memory_bytes(table.blocks[first + i]);
      table.blocks[first + i] = {};
    }
    if (bytes_freed < group_bytes) continue;
    release_free_memory();  // the rows that grow lie elsewhere
    bytes_freed = 0;
  }
  table.blocks.clear();
  return appender.finish(layout.num_features);
}

}  // namespace lazylogit::io
