// Puts parsed blocks together, in order: into a Dataset (learning) or block by block into Rows (fixed names).
#pragma once

#include <memory>

#include "lazylogit/io/columns/column_watch.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

// --on-bad-row, --max-bad-rows and --max-errors over all blocks; notices and warnings are said once.
class BadRowPolicy {
 public:
  BadRowPolicy(const ReadOptions& options, Log& log);
  ~BadRowPolicy();
  // Takes the errors of the next block; throws when the policy says stop.
  void take(RowBlock& block);
  // At the end: throws what has been collected; says how many rows were skipped.
  void finish();
  std::uint64_t bad_rows() const noexcept { return bad_rows_; }

 private:
  struct Said;
  const ReadOptions* options_;
  Log* log_;
  std::uint64_t bad_rows_ = 0;
  std::vector<ErrorDetail> collected_;
  std::unique_ptr<Said> said_;
};

class DatasetBuilder {
 public:
  DatasetBuilder(FeatureMode mode, const ReadOptions& options, Log& log);
  ~DatasetBuilder();
  // Makes room for about `num_blocks` blocks like `first`: address space only, so a wrong guess costs nothing,
  // and the matrix does not move while it grows.
  void reserve(const RowBlock& first, double num_blocks);
  // Takes the next block in order. IoError for --max-classes and --max-memory.
  void add(RowBlock& block);
  // Makes final ids (indexed: ascending index; named: first appearance), drops features below --min-count,
  // sorts rows, orders classes. InputError when there is no row. `first_file` is for that error.
  // Fills data.x, labels, weights, offsets, ids, features, classes and the counts of the summary; the caller
  // fills data.input, data.idf, summary.format, summary.target and summary.text_bytes.
  Loaded finish(const std::string& first_file, int index_base);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Fixed names: turns a parsed block into Rows and counts what was unknown.
class FixedRowsBuilder {
 public:
  FixedRowsBuilder(const FixedNames& names, const ReadOptions& options, Log& log);
  void convert(RowBlock& block, data::Rows& rows);
  // A stream hands over the good rows before a bad one first; then the error.
  void throw_held_error();
  void finish() {
    policy_.finish();
    watch_.finish();
  }
  ReadSummary& summary() noexcept { return summary_; }
  const ReadSummary& summary() const noexcept { return summary_; }

 private:
  FixedNames names_;
  void find_labels(const RowBlock& block, data::Rows& rows);
  void find_sets(const RowBlock& block, data::Rows& rows);
  void add_labels(const RowBlock& block, data::Rows& rows);
  void add_sets(const RowBlock& block, data::Rows& rows);

  BadRowPolicy policy_;
  ColumnWatch watch_;
  std::uint64_t max_classes_;
  std::exception_ptr held_error_;
  ReadSummary summary_;
};

}  // namespace lazylogit::io
