// Walks over the records of a block of delimited text and refuses what no row may be.
//
// Refused: bad bytes, a byte order mark before a record, misplaced quotes, a wrong number of fields, a repetition of the header (files put one
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

  // Whether the first field of a record is that of the header.
  bool starts_as_header(std::string_view first) const noexcept;

  // For parsers with a short cut: where the next record starts, and how to say that records were taken. Until the
  // header has been passed, or where the block has bad bytes, there is no short cut; nor for a record that begins with a byte order mark.
  const char* position() const noexcept { return block_->text().data() + from_; }
  void move_to(const char* record) noexcept {
    from_ = static_cast<std::size_t>(record - block_->text().data());
  }
  bool is_plain() const noexcept { return !skip_header_ && bad_bytes_.none(); }

 private:
  // Fewer fields than a row of the table are counted, not kept; so are those behind one too many.
  RecordSplit split_next(std::vector<Field>& fields, std::size_t expected) const;
  bool reject(const char* at, std::string message, std::string hint, std::string code);
  bool repeats_header(const std::vector<Field>& fields) const;
  // Of a row of another size than the header, which starts at `begin`.
  std::string hint_at_fields(const char* begin, const RecordSplit& split,
                             const std::vector<Field>& fields) const;

  const DelimitedOutline* outline_;
  const TextBlock* block_;
  RowBlock* out_;
  BadByteCursor bad_bytes_;
  bool skip_header_;
  std::size_t from_ = 0, first_row_ = 0;  // 0: the block has no header
};

}  // namespace lazylogit::io
