// csv and tsv: tables of delimited text. What a column becomes is told in io/columns/, the shape of the text
// in delimited_header.hpp and delimited_record.hpp.
//
// A tsv file whose header is `label<TAB>text` is read as documents (formats/text.hpp) when the format was not
// named.
#pragma once

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

FormatEntry csv_format();
FormatEntry tsv_format();

}  // namespace lazylogit::io
