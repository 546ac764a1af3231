// Splits delimited text into records and fields: RFC 4180, or plain splitting where quoting is off.
//
// With quoting, a field that begins with `"` extends to the matching `"`; inside it `""` stands for one quote
// and delimiters and line breaks are ordinary text. A quote inside an unquoted field, text after a closing
// quote and a quote that is never closed are errors, each with its place. LF and CRLF end a record. One look
// at each byte.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit::io {

struct Dialect {
  char delimiter = ',';
  bool quoting = true;
};

// A field within the text it was split from. `text` excludes the quotes; where `escaped`, it still holds
// `""`.
struct Field {
  std::string_view text;
  bool quoted = false;
  bool escaped = false;
};

// The field's value; `scratch` holds it when quotes had to be undone.
std::string_view field_value(const Field& field, std::string& scratch);

enum class RecordStatus { complete, unclosed_quote, text_after_quote, quote_in_field };

struct RecordSplit {
  RecordStatus status = RecordStatus::complete;
  std::size_t next = 0;  // complete: where the following record starts
  std::size_t at = 0;    // otherwise: the offending byte (of an unclosed quote: its opening)
  std::size_t num_fields = 0;
};

// Splits the record that starts at `from` (< text.size()) into `fields`, of which the first `most` are kept and the others
// counted: a field takes more memory than its text. The end of `text` ends the record.
RecordSplit split_record(std::string_view text, std::size_t from, const Dialect& dialect,
                         std::vector<Field>& fields,
                         std::size_t most = std::numeric_limits<std::size_t>::max());

// Where the last complete record of `text` ends (0: nowhere), given that a record starts at its beginning:
// after the last line break outside quotes.
std::size_t last_record_end(std::string_view text, const Dialect& dialect);

// The place of a field for messages: the byte where it starts in the file, its opening quote included.
inline const char* field_begin(const Field& field) { return field.text.data() - (field.quoted ? 1 : 0); }

}  // namespace lazylogit::io
