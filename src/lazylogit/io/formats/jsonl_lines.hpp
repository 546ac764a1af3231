// Walks over the lines of a block of JSON lines; shared by learning and applying. Blank lines are skipped.
#pragma once

#include <string_view>

#include "lazylogit/io/bad_byte_cursor.hpp"
#include "lazylogit/io/formats/json_reader.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

// Calls row(line) for each line; it returns false to stop and may throw JsonFault, which rejects the line's
// row.
template <class Row>
void for_each_json_line(const TextBlock& block, RowBlock& out, Row&& row);

// The error for a fault in `block`.
ErrorDetail json_error(const TextBlock& block, const JsonFault& fault);

template <class Row>
void for_each_json_line(const TextBlock& block, RowBlock& out, Row&& row) {
  const std::string_view text = block.text();
  BadByteCursor bad_bytes(block);
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t line_end = text.find('\n', from);
    const std::size_t next = line_end == std::string_view::npos ? text.size() : line_end + 1;
    std::string_view line = text.substr(from, next - from);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    from = next;
    out.begin_row();
    if (const char* bad = bad_bytes.in_line(line.data(), text.data() + next)) {
      if (!out.reject(bad_byte_error(block, bad))) return;
      continue;
    }
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    try {
      if (!row(line)) return;
    } catch (const JsonFault& fault) {
      if (!out.reject(json_error(block, fault))) return;
    }
  }
}

}  // namespace lazylogit::io
