// Walks over the records of a block of delimited text and refuses what no row may be.
//
// Refused: bad bytes, misplaced quotes, a wrong number of fields, a repetition of the header (files put one
// after another). Skipped: the header, and blank lines of tables with two columns or more.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/io/bad_byte_cursor.hpp"
#include "lazylogit/io/formats/delimited_header.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

class DelimitedRows {
 public:
  DelimitedRows(const DelimitedOutline& outline, const TextBlock& block, RowBlock& out)
      : outline_(&outline),
        block_(&block),
        out_(&out),
        bad_bytes_(block),
        skip_header_(block.first_of_file && outline.has_header) {}

  // The next row's fields; false at the end of the block, or when an error says stop.
  bool next(std::vector<Field>& fields);

  // Where the field starts, for errors.
  ErrorDetail place(const Field& field) const { return block_->place(field_begin(field)); }
  std::size_t record_bytes() const noexcept { return record_bytes_; }

 private:
  bool reject(const char* at, std::string message, std::string hint, std::string code);
  bool repeats_header(const std::vector<Field>& fields) const;

  const DelimitedOutline* outline_;
  const TextBlock* block_;
  RowBlock* out_;
  BadByteCursor bad_bytes_;
  bool skip_header_;
  std::size_t from_ = 0;
  std::size_t record_bytes_ = 0;
};

}  // namespace lazylogit::io
