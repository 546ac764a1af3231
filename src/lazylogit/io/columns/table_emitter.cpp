#include "lazylogit/io/columns/table_emitter.hpp"

#include <algorithm>
#include <cmath>

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
  BlockEmitter(const TablePlan& plan, const FeatureLayout& layout, const MergedBlock& block,
               EmittedBlock& out)
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
    const RowBlock& rows = block_->table.rows;
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
    const std::uint32_t code = block_->table.codes[r * plan_->num_categorical + plan_->columns[c].slot];
    if (code != missing_code) return put(layout_->value_features[block_->values[code]], 1.0);
    put(features.impute_feature, 1.0);
    put(features.indicator, 1.0);
  }

  void emit_text(std::uint32_t c, std::size_t r) {
    const std::uint32_t slot = plan_->columns[c].slot;
    const std::size_t cell = r * plan_->num_texts + slot, first = out_->ids.size();
    const SparseCells<float>& texts = block_->table.texts;
    const std::uint32_t begin = cell == 0 ? 0 : texts.ends[cell - 1];
    if (begin < texts.ends[cell] && texts.ids[begin] == missing_code)
      return put(layout_->columns[c].indicator, 1.0);
    if (block_->grams.empty())
      put_cell(texts, cell, block_->values, layout_->value_features);
    else
      put_cell(texts, cell, block_->grams[slot], layout_->gram_features[slot]);
    if (plan_->text.tfidf)
      apply_tfidf<double>({out_->ids.data() + first, out_->ids.size() - first},
                          {out_->values.data() + first, out_->ids.size() - first}, layout_->idf);
  }

  void emit_nested(std::uint32_t c, std::size_t r) {
    put_cell(block_->table.nested, r * plan_->num_nested + plan_->columns[c].slot, block_->values,
             layout_->value_features);
  }

  // The entries of a cell in the order of their features.
  template <class Amount>
  void put_cell(const SparseCells<Amount>& cells, std::size_t cell, const Buffer<std::uint32_t>& to_table,
                const Buffer<std::uint32_t>& to_feature) {
    entries_.clear();
    for (std::uint32_t k = cell == 0 ? 0 : cells.ends[cell - 1]; k < cells.ends[cell]; ++k) {
      const std::uint32_t feature = to_feature[to_table[cells.ids[k]]];
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
  const MergedBlock* block_;
  EmittedBlock* out_;
  std::vector<std::uint32_t> other_columns_;
  std::vector<Entry> entries_;
};

// The growing result. Values are stored from the first one that is not 1.
class RowsAppender {
 public:
  explicit RowsAppender(Precision precision) : wide_(precision == Precision::float64) {}

  void append(const EmittedBlock& block, RowBlock& source) {
    data::SparseMatrix& x = rows_.x;
    const std::size_t before = x.ids.size();
    for (const std::uint64_t end : block.row_ends) x.row_offsets.push_back(before + end);
    x.ids.append(block.ids.span());
    if (ones_ && !block.all_ones) {
      ones_ = false;
      if (wide_)
        x.values = Buffer<double>(before, 1.0);
      else
        x.values = Buffer<float>(before, 1.0F);
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
    return std::move(rows_);
  }

 private:
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
  bool ones_ = true;
};

}  // namespace

data::Rows emit_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                     Precision precision, const CancelToken& cancel) {
  if (plan.is_gathered()) return take_gathered_rows(table, plan, layout, precision);
  constexpr std::size_t group = 8;  // blocks between two appends: bounds the extra memory
  RowsAppender appender(precision);
  std::vector<EmittedBlock> emitted(group);  // memory used again and again
  for (std::size_t first = 0; first < table.blocks.size(); first += group) {
    cancel.throw_if_cancelled();
    const std::size_t count = std::min(group, table.blocks.size() - first);
    parallel_blocks(count, [&](std::size_t i) {
      BlockEmitter(plan, layout, table.blocks[first + i], emitted[i]).emit();
    });
    for (std::size_t i = 0; i < count; ++i) {
      appender.append(emitted[i], table.blocks[first + i].table.rows);
      table.blocks[first + i] = {};
    }
  }
  table.blocks.clear();
  return appender.finish(layout.num_features);
}

}  // namespace lazylogit::io
