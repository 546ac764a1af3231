// What a format's parser makes of one text block: rows in columns, with block-local dictionaries.
//
// A row is written by begin_row, any number of add_*, and end_row or reject. Ids are, by the FeatureMode of
// the run: `indexed`, the index minus the index base; `named`, a number of the block's own dictionary
// `names`, or of its n-grams `grams`; `hashed`, the slot (learning) or the final column; `fixed`, the final column. end_row sorts by id, drops zeros and finds repeated ids
// (the caller decides what to do with them). The merger (dataset_builder.hpp, fixed_rows.hpp) takes blocks
// strictly in order, so ids by first appearance do not depend on the thread count.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/io/column_sightings.hpp"
#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/label_dictionary.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/io/text/gram_dictionary.hpp"

namespace lazylogit::io {

enum class FeatureMode {
  indexed,  // learning libsvm-like data: features are the indices that occur
  named,    // learning names: ids by first appearance
  hashed,   // learning or predicting with --hash-bits
  fixed,    // predicting with the names of a model
};

inline constexpr std::uint32_t no_label = 0xFFFFFFFF;

enum class RowEnd {
  ok,
  repeated,  // two entries have the same id; the row is still open: reject() it, or sum_repeated() and go on
  overflow,  // a value does not fit float32: reject() it
  too_long,  // more entries than --max-row-features: throw row_too_long()
};

class RowBlock {
 public:
  // Starts anew with the same memory. Parsers call it first.
  void clear(const ReadOptions& options, Precision precision);

  // --- writing a row
  void begin_row() noexcept;
  void add_value(std::uint32_t id, double value) {
    ids.push_back(id);
    if (store_double) {
      values64.push_back(value);
    } else {
      values32.push_back(static_cast<float>(value));
    }
  }
  // Sorts the open row, drops zeros, finds repeated ids. After `ok` the row is complete.
  // `label` is from labels.intern(), or no_label.
  RowEnd end_row(std::uint32_t label);
  // The two halves of end_row: arranging alone, and completing a row that is arranged.
  RowEnd arrange_row();
  void complete_row(std::uint32_t label);
  // Of a stream, for parsers that have written a row of finite values without zeros themselves.
  RowEnd end_plain_row(std::uint32_t label, bool row_is_ones);
  // For parsers that have written a strictly ascending row without zeros themselves, or one of n-grams in any order.
  void complete_row(std::uint32_t label, bool row_is_ones) {
    all_ones = all_ones && row_is_ones;
    row_ends.push_back(ids.size());
    if (labels.response() == data::Response::number) {
      targets.push_back(label == no_label ? std::numeric_limits<double>::quiet_NaN() : labels.number(label));
      label = no_label;
    }
    row_labels.push_back(label);
  }
  std::size_t row_begin() const noexcept { return row_begin_; }
  // After RowEnd::repeated: adds up the values of equal ids and completes the row; overflow: reject() it.
  RowEnd sum_repeated(std::uint32_t label);
  // The id at fault after RowEnd::repeated or overflow.
  std::uint32_t problem_id() const noexcept { return problem_id_; }
  // Drops the open row and notes the error. False: stop parsing this block (no further error will be shown).
  bool reject(ErrorDetail detail);
  // Notes the error of a line that is not a row.
  bool note_error(ErrorDetail detail);
  // Drops the open row without an error (--missing drop-row).
  void drop_row();

  // FeatureMode::hashed: counts a name's hash among the distinct ones (hash 0 is not counted).
  void note_hash(std::uint64_t hash);

  std::size_t num_rows() const noexcept { return row_ends.size(); }
  // A stream's names, which rows add to; what a rejected row added is taken back. Stays through clear().
  void set_growing(GrowingNames* growing) noexcept { growing_ = growing; }

  // --- the rows
  Buffer<std::uint64_t> row_ends;  // one per row, into ids
  Buffer<std::uint32_t> ids;
  Buffer<float> values32;  // one of the two holds the values
  Buffer<double> values64;
  bool store_double = false;
  bool all_ones = true;              // every stored value is 1
  Buffer<std::uint32_t> row_labels;  // per row: id in `labels`, or no_label
  LabelDictionary labels;            //
  Buffer<double> targets;            // labels that are numbers, one per row; row_labels are no_label then
  Buffer<double> weights, offsets;   // empty, or one per row (parsers push after end_row)
  std::vector<std::string> row_ids;  // --id: empty, or one per row
  data::Alphabet names;              // FeatureMode::named: the block's own dictionary
  GramDictionary grams;              // … of documents; rows are not sorted then
  std::vector<std::uint64_t>
      hashes;                       // FeatureMode::hashed, learning: name hashes of the block, some repeated
  std::vector<ErrorDetail> errors;  // of the first bad rows, in order
  std::uint64_t bad_rows = 0;       // all of them
  std::uint64_t dropped_rows = 0;   // drop_row()
  std::uint64_t unknown_features = 0;  // FeatureMode::fixed: occurrences without a column
  std::vector<std::string> notices;    // shown once each, whatever the number of blocks that say so
  std::vector<ErrorDetail> warnings;   // likewise
  ColumnSightings sightings;           // FeatureMode::fixed, of tables

 private:
  template <class T>
  RowEnd arrange(Buffer<T>& values);
  template <class T>
  void drop_zeros(Buffer<T>& values);
  template <class T>
  RowEnd sum_equal(Buffer<T>& values);
  template <class T>
  bool row_is_ones(const Buffer<T>& values) const noexcept;
  void forget_row();
  bool all_distinct(const std::uint32_t* id, std::size_t size);

  std::size_t row_begin_ = 0;
  GrowingNames* growing_ = nullptr;
  std::size_t names_before_ = 0;  // of growing_, when the row began
  std::uint32_t problem_id_ = 0;
  std::uint64_t max_row_features_ = 0;
  std::uint64_t max_errors_ = 1;  // how many errors are kept
  bool stop_on_error_ = true;
  std::vector<std::uint64_t> order_;   // scratch of arrange
  std::vector<double> moved_;          // likewise
  std::vector<std::uint32_t> stamps_;  // of a stream: the last row that had an id, by its lower bits
  std::uint32_t stamp_ = 0;
  std::vector<std::uint64_t> recent_;  // hashes seen lately, to keep `hashes` short
};

// The error for RowEnd::too_long; `place` has file, line and column.
LimitError row_too_long(ErrorDetail place, const ReadOptions& options);

// data/feature_hash.hpp, called.
std::uint64_t hash_feature_name(std::string_view name) noexcept;

// Turns a feature name into the id that RowBlock wants, in each FeatureMode but indexed.
class NameResolver {
 public:
  static NameResolver learning(const std::optional<int>& hash_bits);
  static NameResolver fixed(const FixedNames& names);

  FeatureMode mode() const noexcept { return mode_; }
  // Every name has an id, which depends on nothing of the block: a stream.
  bool knows_all() const noexcept { return growing_ != nullptr; }
  // Of a stream with hashed features: the id is hash_feature_name(name) & mask.
  std::optional<std::uint32_t> slot_mask() const noexcept {
    return mode_ == FeatureMode::hashed ? std::optional(mask_) : std::nullopt;
  }
  // Of a stream with names: adds it where it is new.
  std::uint32_t grow(std::string_view name) const;
  // The id, or nothing for a name that the model does not know (counted in block.unknown_features).
  std::optional<std::uint32_t> resolve(std::string_view name, RowBlock& block) const;

 private:
  FeatureMode mode_ = FeatureMode::named;
  bool learning_ = true;
  const data::Alphabet* features_ = nullptr;
  GrowingNames* growing_ = nullptr;
  std::shared_ptr<const IndexLookup> slots_;  // hashed, fixed
  std::uint32_t mask_ = 0;
};

}  // namespace lazylogit::io
