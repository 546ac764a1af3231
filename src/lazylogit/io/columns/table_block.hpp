// One block of a table as a pass has read it: rows with numbers by column, and block-local dictionaries.
//
// Numbers lie in `rows` (ids are column numbers, NaN is a missing cell, zeros are not stored), so that a
// block takes about the memory of the final sparse rows. Categories are values of one dictionary, texts and nested numbers
// sparse cells over it; but n-grams have a dictionary per column where few columns are texts. `facts` is what decides types
// and what is said about columns. Under a plan that is gathered (gathered_rows.hpp), categories and the marks of missing
// cells are entries of `rows`.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/io/columns/column_facts.hpp"
#include "lazylogit/io/columns/column_values.hpp"
#include "lazylogit/io/columns/number_lanes.hpp"
#include "lazylogit/io/columns/table_plan.hpp"
#include "lazylogit/io/recent_names.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text/ngram_counter.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

inline constexpr std::uint32_t missing_code = 0xFFFFFFFF;

// Cells with any number of entries: those of a row by slot, row after row.
template <class Amount>
struct SparseCells {
  Buffer<std::uint32_t> ends;  // into ids, of each cell
  Buffer<std::uint32_t> ids;
  Buffer<Amount> amounts;

  void add(std::uint32_t id, Amount amount) {
    ids.push_back(id);
    amounts.push_back(amount);
  }
  void end_cell() { ends.push_back(static_cast<std::uint32_t>(ids.size())); }
};

// The n-grams of a column of texts, where there are few of those.
struct TextGrams {
  GramDictionary grams;
  Buffer<std::uint32_t> counts;  // rows per n-gram
};

struct TableBlock {
  RowBlock rows;
  ColumnValues values;           // by first appearance; some of rejected rows alone
  Buffer<std::uint32_t> counts;  // rows per value
  Buffer<std::uint32_t> codes;   // not gathered: per row and categorical slot its value, or missing_code
  std::vector<TextGrams> grams;  // per text slot, where there are not many
  SparseCells<float> texts;      // how often each n-gram occurs; one that is missing_code: a missing cell
  SparseCells<double> nested;    // the numbers of keys
  TableFacts facts;
  data::Alphabet new_keys;  // jsonl: keys that the plan does not know, after { where nested, else "

  void clear(const TablePlan& plan, const ReadOptions& options);
};

// Writes rows of one block. Texts are noted first and reach a dictionary in commit(), categories are counted
// there: a row that turns out bad leaves no trace but values that no row has.
class TableWriter {
 public:
  TableWriter(const TablePlan& plan, const TextBlock& block, TableBlock& out);

  void begin_row();
  // Cells, in column order; every feature column gets one call per row (sparse: any number).
  void number(std::uint32_t column, double value) {
    if (is_varied_[column] == 0) note_number(column, value);
    ids_[num_entries_] = column;
    values_[num_entries_] = value;
    num_entries_ += value != 0 ? 1 : 0;  // no branch: zeros come as they like
  }
  // Where the next entries of the row go, for those who write numbers there themselves; set_entries says how many there
  // are then. There is room for all numbers of the row, and number_group more.
  NumberEntries entries() noexcept { return {ids_, values_, num_entries_}; }
  void set_entries(const NumberEntries& entries) noexcept { num_entries_ = entries.size; }
  void missing(std::uint32_t column);
  // Categorical and text columns. `value` must live until commit(); `at` is where it stands in the block.
  // `is_text`: the format says that it is no number, whatever it looks like.
  void text(std::uint32_t column, std::string_view value, const char* at, bool is_text = false) {
    if (plan_->only_checks) return;
    const ColumnPlan& plan = plan_->columns[column];
    if (plan.type != data::ColumnType::categorical) {
      cells_.push_back({column, value, at, is_text});
      return;
    }
    const ValuesOfColumn values{&out_->values, column};
    const std::uint32_t code =
        recent_.empty() ? values.intern(value) : recent_[plan.slot].intern(value, values);
    if (code == out_->counts.size()) out_->counts.push_back(0);
    category(code, at, is_text);
  }
  // A category by its number among the block's values, which is that of the last_category() of another row.
  void category(std::uint32_t code, const char* at, bool is_text = false) {
    if (is_gathered_) put(first_category_ + code, 1);
    taken_.push_back({code, is_text, at});
  }
  // The category that the open row has taken last, if it is one of this column.
  std::optional<std::uint32_t> last_category(std::uint32_t column) const noexcept {
    if (taken_.empty() || out_->values.column(taken_.back().code) != column) return std::nullopt;
    return taken_.back().code;
  }
  // No number where the plan assumes one.
  void misfit(std::uint32_t column, std::string_view value, const char* at);
  // An object or array where the plan assumes a plain value.
  void nested_misfit(std::uint32_t column, const char* at);
  void nested(std::uint32_t column, std::string_view key, double value);  // sparse columns; key is copied
  // How many entries the open row has in `rows`.
  std::size_t num_entries() const noexcept { return num_entries_ - out_->rows.row_begin(); }
  // Copies `value` to memory that lives until the next begin_row.
  std::string_view keep(std::string_view value);
  bool has_missing() const noexcept { return !missing_.empty(); }
  std::uint32_t first_missing() const noexcept { return missing_.front(); }

  // Completes the row.
  void commit(std::uint32_t label);
  // After the last row: gives the examples in the facts their places.
  void finish();

 private:
  struct Cell {
    std::uint32_t column;
    std::string_view text;
    const char* at;
    bool is_text = false;
    bool is_nested = false;
  };
  struct Nested {
    std::uint32_t column;
    std::string_view key;
    double value;
  };
  // The first cell of its column that is to be shown, until its place is known.
  struct Example {
    const char* at;
    std::uint32_t column;
    bool is_nested;
  };
  // A category of the open row.
  struct Taken {
    std::uint32_t code;
    bool is_text;
    const char* at;
  };
  // As an alphabet.
  struct ValuesOfColumn {
    ColumnValues* all;
    std::uint32_t column;
    std::uint32_t intern(std::string_view name) const { return all->intern(column, name); }
    std::string_view name(std::uint32_t value) const noexcept { return all->name(value); }
  };
  void put(std::uint32_t id, double value) noexcept {
    ids_[num_entries_] = id;
    values_[num_entries_++] = value;
  }
  void commit_checked(std::uint32_t label);
  void count_code(const Taken& taken);
  void note_number(std::uint32_t column, double value);
  CellExample& example_of(std::uint32_t column, bool is_nested);
  void note_example(const Cell& cell);
  void note_if_no_number(const Cell& cell);
  void write_texts();
  void write_document(const Cell& cell);
  void write_grams(std::uint32_t column);
  void write_nested();
  std::uint32_t intern(std::uint32_t column, std::string_view value);

  const TablePlan* plan_;
  const TextBlock* block_;
  TableBlock* out_;
  bool is_gathered_;
  std::uint32_t first_category_;
  // The open row: room for two entries of each column, and a group, is there.
  std::uint32_t* ids_ = nullptr;
  double* values_ = nullptr;
  std::size_t num_entries_ = 0;
  std::vector<RecentNames> recent_;  // per categorical slot; none where there are very many
  std::vector<Taken> taken_;
  std::vector<Cell> cells_, misfits_;
  std::vector<std::uint32_t> other_, other_nested_;  // where rows are checked alone: columns of the misfits
  std::vector<Nested> nested_;
  std::vector<Example> examples_;  // one of each kind per column at most
  std::vector<std::uint32_t> missing_;
  std::vector<unsigned char> is_varied_;  // per column: nothing more to learn from numbers
  std::deque<std::string> kept_;          // not a vector: views of short strings must stay
  std::size_t num_kept_ = 0;
  std::vector<NgramCounter> counters_;  // per text slot, where there are not many
  std::vector<std::uint32_t> grams_;    // of a text
  Tokenizer tokenizer_;
};

}  // namespace lazylogit::io
