// csv and tsv: tables of delimited text. What a column becomes is told in io/columns/, the shape of the text
// in delimited_header.hpp and delimited_record.hpp.
//
// A tsv file whose header is `label<TAB>text` is read as documents (formats/text.hpp) when the format was not
// named.
#pragma once

#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

FormatEntry csv_format();
FormatEntry tsv_format();

// What the entries' load does, with a block size for tests; 0: one that suits the table.
Loaded load_delimited(std::vector<Input>& inputs, Format format, const ReadOptions& options, Log& log,
                      const CancelToken& cancel, std::size_t block_bytes = 0);

}  // namespace lazylogit::io
