// A data set as writers see it: rows of cells in a canonical order of features that every format reproduces.
//
// Features that are zero in every row are left out: sparse formats cannot say that they exist. The others are
// ordered by number where all names are whole numbers, else by the bytes of their names; so a table that went
// through another format comes back with the same columns in the same places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::io {

// The key under which jsonl nests the features of a wide table; readers call them "features.NAME", and a
// Table takes the prefix off again.
inline constexpr std::string_view nested_features_key = "features";

struct Cell {
  std::uint32_t feature;  // position in Table::names()
  double value;
};

class Table {
 public:
  explicit Table(const data::Dataset& data);  // `data` must outlive the table

  std::size_t num_rows() const noexcept { return data_->num_rows(); }
  const std::vector<std::string>& names() const noexcept { return names_; }
  // The cells of a row by ascending feature.
  const std::vector<Cell>& row(std::size_t i);

  bool has_labels() const noexcept { return has_labels_; }  // at least one row has one
  bool all_labelled() const noexcept { return all_labelled_; }
  // The label of a row; empty: none.
  std::string_view label(std::size_t i) const noexcept;
  bool has_weights() const noexcept { return !data_->weights.empty(); }
  bool has_offsets() const noexcept { return !data_->offsets.empty(); }
  bool has_ids() const noexcept { return !data_->ids.empty(); }
  double weight(std::size_t i) const noexcept { return data_->weights[i]; }
  double offset(std::size_t i) const noexcept { return data_->offsets[i]; }
  const std::string& id(std::size_t i) const noexcept { return data_->ids[i]; }
  const data::Dataset& data() const noexcept { return *data_; }
  std::size_t num_dropped() const noexcept { return num_dropped_; }  // features that are zero everywhere

  // Values are shown in the shortest form that gives them back at the precision they are stored in.
  void append_number(std::string& out, double value) const;

  // Names as whole numbers from 1 up, for formats that have nothing else: the names themselves where they are
  // such numbers (plus one where they begin at 0 and that leaves room), else the position plus one.
  struct Numbering {
    std::vector<std::uint64_t> numbers;  // by position
    bool renamed = false;
    bool shifted = false;
  };
  Numbering number_features() const;

 private:
  const data::Dataset* data_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> position_;  // by feature id
  std::vector<std::uint64_t> indices_;   // by position, when all names are whole numbers; else empty
  std::vector<Cell> cells_;
  bool has_labels_ = false, all_labelled_ = false;
  bool single_ = false;
  std::size_t num_dropped_ = 0;
};

// The shortest decimal form that reads back as the same double.
void append_shortest(std::string& out, double value);

}  // namespace lazylogit::io
