// Applies what was learned from a table to new rows: cells to the features of a model.
//
// Numbers, categories, n-grams and nested numbers become the feature that training gave them; what training
// did not see is left out and counted. A missing cell gets the learned stand-in and, where training had
// missing cells too, the indicator. Constant after construction and safe to share between threads; scratch
// space is the caller's.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text/tokenizer.hpp"

namespace lazylogit::io {

class ColumnEncoder {
 public:
  // What `names` points to must outlive the encoder.
  explicit ColumnEncoder(const FixedNames& names);

  struct Scratch {
    explicit Scratch(const data::TextSpec& spec) : tokenizer(spec) {}
    Tokenizer tokenizer;
    std::string name;
    struct ShortValue {
      std::uint64_t bits = 0;
      std::uint32_t size = 0, feature = 0;
    };
    struct Category {
      std::string name;                // begins with the column's and "="
      std::size_t prefix = 0;          // how much of it
      std::vector<ShortValue> recent;  // short values seen lately, by their bits; empty where ids may change
    };
    std::vector<Category> categories;  // by slot; none where there are very many
    std::vector<FeatureId> ids;
    std::vector<double> counts;
    std::vector<std::uint32_t> missing;  // columns without a value in the open row
  };

  const data::InputSpec& input() const noexcept { return *names_.input; }
  std::size_t num_columns() const noexcept { return columns_.size(); }
  const data::ColumnSpec& column(std::size_t c) const noexcept { return names_.input->columns[c]; }

  // What values of a numeric column must be greater than: logarithms are derived from it.
  double above(std::size_t c) const noexcept { return columns_[c].above; }

  // Each adds the features of one cell of column c to the open row of `out`.
  void number(std::size_t c, double value, RowBlock& out) const;
  void category(std::size_t c, std::string_view value, Scratch& scratch, RowBlock& out) const;
  void document(std::size_t c, std::string_view text, Scratch& scratch, RowBlock& out) const;
  void nested(std::size_t c, std::string_view key, double value, Scratch& scratch, RowBlock& out) const;
  void missing(std::size_t c, Scratch& scratch, RowBlock& out) const;
  // After the row: counts what was missing in it.
  void count_missing(const Scratch& scratch, RowBlock& out) const;

 private:
  struct Column {
    FeatureRange range;
    std::uint32_t feature = no_feature, indicator = no_feature, impute_feature = no_feature;
    std::uint32_t slot = 0;  // categorical: number among those
    double above = -std::numeric_limits<double>::infinity();
  };
  std::uint32_t find(std::size_t c, std::string_view name) const;
  std::uint32_t find_category(std::size_t c, std::string_view value, Scratch& scratch) const;
  Column growing_column(std::size_t c) const;  // with the features of a missing cell, added when new

  FixedNames names_;
  std::shared_ptr<const IndexLookup> slots_;  // hashed
  std::vector<Column> columns_;
  std::uint32_t num_categorical_ = 0;
};

}  // namespace lazylogit::io
