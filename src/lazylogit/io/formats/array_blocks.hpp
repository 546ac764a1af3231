// Walks over the rows of all array inputs in order and fills row blocks of bounded size.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lazylogit/io/formats/array_format.hpp"
#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

// Column numbers as the ids that a RowBlock wants.
class ColumnIds {
 public:
  // Learning: the column itself, or its hashed name.
  ColumnIds(const std::optional<int>& hash_bits, int index_base);
  explicit ColumnIds(const FixedNames& names);

  FeatureMode mode() const noexcept { return mode_; }
  std::optional<std::uint32_t> find(std::uint32_t column, RowBlock& block) const;

 private:
  FeatureMode mode_;
  NameResolver resolver_;                      // hashed
  std::shared_ptr<const IndexLookup> lookup_;  // fixed
  int index_base_;
};

class ArrayBlocks {
 public:
  ArrayBlocks(std::vector<Input>& inputs, Format format, OpenArray open, ColumnIds ids,
              const ReadOptions& options, Log& log, const CancelToken& cancel);

  // The next rows; false at the end, when everything has been checked.
  bool next(RowBlock& block);
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  bool open_next();
  void check_counts(const Input& input);
  bool add_row(RowBlock& block);
  std::uint32_t label_of_row(RowBlock& block) const;
  void close_input();

  std::vector<Input>* inputs_;
  OpenArray open_;
  ColumnIds ids_;
  const ReadOptions* options_;
  Log* log_;
  CancelToken cancel_;
  Precision precision_;
  std::optional<LabelColumn> labels_;  // --labels
  ArrayInput current_;
  std::size_t next_input_ = 0;
  std::uint64_t row_ = 0;          // within the current input
  std::uint64_t rows_before_ = 0;  // of earlier inputs
  std::optional<std::uint64_t> num_columns_;
  std::uint64_t bytes_ = 0;
  ArrayRow scratch_;
};

}  // namespace lazylogit::io
