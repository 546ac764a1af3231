// Delimiter and quoting of a table: from the options, else from the first records. See delimited_header.hpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/formats/delimited_record.hpp"
#include "lazylogit/io/inputs.hpp"

namespace lazylogit::io {

Dialect choose_dialect(Input& input, Format format, const ReadOptions& options, Log& log);

// How many fields each of the first complete records of `text` has, or 0 when they differ or are malformed.
std::size_t consistent_fields(std::string_view text, const Dialect& dialect);

// The delimiter under which the first records agree, or '\0'.
char detect_delimiter(std::string_view text, bool quoting);

// What is wrong with a record, and the hint: message and hint of an error at RecordSplit::at.
std::pair<std::string, std::string> describe_split(RecordStatus status, const Dialect& dialect);

// "comma", "tab", or the character in quotes.
std::string delimiter_name(char delimiter);

}  // namespace lazylogit::io
