// Watches, file by file, whether new rows hold what a model's columns are: the columns of a table have a header
// that is checked before its rows, but the keys of JSON lines come and go, and cells may be empty in every row.
//
// At the end of a file (rows without a value that training always had are one notice per column):
// - Error: no row has the key of any column, and rows have keys that the model does not know. Rows that say nothing
//   at all ({}), that have null there, or whose columns are all sparse (absent is zero) are fine.
// - Warning, which names them: columns without a value in any row, where training had one in every row, or where
//   the key is in no row and other keys are that the model does not know (for a sparse column: of objects or arrays).
// At the end of all: a notice about the keys that the model does not use. Bounded in memory, linear in time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/columns/name_list.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

class ColumnWatch {
 public:
  ColumnWatch(const FixedNames& names, Log& log) : names_(names), log_(&log) {}

  // The blocks in order. InputError where the file before turns out to hold something else.
  void take(const RowBlock& block);
  // After the last block.
  void finish();

 private:
  struct File {
    const std::string* name = nullptr;
    std::uint64_t rows = 0;
    ColumnSightings seen;
  };
  void add(const RowBlock& block);
  void note_unknown(const ColumnSightings& seen);
  void note_missing(std::size_t column);
  void end_file();
  bool is_suspicious(std::size_t column) const;
  void refuse_other_keys() const;
  void warn_of(const std::vector<std::size_t>& columns) const;
  std::string nearest_key(const std::vector<std::size_t>& columns) const;

  FixedNames names_;
  Log* log_;
  File file_;
  std::vector<bool> said_missing_;  // per column
  ColumnSightings all_;             // of its unknown keys
};

}  // namespace lazylogit::io
