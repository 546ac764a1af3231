// The outline of a delimited table: dialect, columns, and where each column stands in each file.
//
// The delimiter is the option's, a tab for tsv, and for csv the one of `,` `;` tab `|` under which the first
// records have the same number of fields, at least two (the most fields win, then the comma); another one
// than the comma is announced. Column names come from the first record, or are 1, 2, 3, … with --no-header.
// Empty names (but the first, see row_index.hpp) and repeated ones are errors, as is a header in which every name is a number (it looks like data)
// unless --target names one of them. Further files must have the same names, in any order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/io/formats/delimited_record.hpp"
#include "lazylogit/io/inputs.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

// What is kept of the header of a file, of which there may be many and wide ones.
struct HeaderMark {
  std::string first;        // the first name as it is written
  std::uint64_t digest[2];  // of all names, see digest_of_fields
  std::size_t num_fields = 0;

  bool operator==(const HeaderMark&) const = default;
};

struct DelimitedOutline {
  Dialect dialect;
  bool has_header = true;
  bool has_row_index =
      false;  // the first column of the first file has no name: it is called "#1", see row_index.hpp
  data::Alphabet names;  // learning: columns, in the order of the first file; the taker may move them away
  // Per file and column: the number of the field. In files that are only predicted, no_field where it is
  // absent.
  std::vector<std::vector<std::uint32_t>> field_of;
  std::vector<HeaderMark> header;  // per file
};

inline constexpr std::uint32_t no_field = 0xFFFFFFFF;

// Learning: all files have the same columns. The inputs must be rewindable.
DelimitedOutline outline_tables(std::vector<Input>& inputs, Format format, const ReadOptions& options,
                                Log& log);

// Applying: the columns are `names`; a file may lack some, and hold others. `one_pass`: pipes are not kept in a file.
DelimitedOutline outline_tables_for(std::vector<Input>& inputs, const std::vector<std::string>& names,
                                    Format format, const ReadOptions& options, Log& log,
                                    bool one_pass = false);

// The names in the header of a file that an outline was made of.
std::vector<std::string> header_names(Input& input, const DelimitedOutline& outline,
                                      const ReadOptions& options);

// Whether a record says the same as a header.
bool is_header(const std::vector<Field>& fields, const HeaderMark& header);

// The first bytes of an input, at least one whole record (with quotes as in `dialect`) where there is one,
// without a byte order mark.
std::string_view first_records(Input& input, const Dialect& dialect, const Limits& limits);

}  // namespace lazylogit::io
