#include "lazylogit/io/formats/delimited_dialect.hpp"

#include "lazylogit/io/formats/delimited_header.hpp"

namespace lazylogit::io {
namespace {

constexpr char candidates[] = {',', ';', '\t', '|'};
constexpr std::size_t looked_at = 50;  // records

}  // namespace

std::string delimiter_name(char delimiter) {
  if (delimiter == ',') return "comma";
  if (delimiter == '\t') return "tab";
  return quote_text({&delimiter, 1});
}

std::size_t consistent_fields(std::string_view text, const Dialect& dialect) {
  std::vector<Field> fields;
  std::size_t count = 0;
  for (std::size_t from = 0, records = 0; from < text.size() && records < looked_at; ++records) {
    const RecordSplit split = split_record(text, from, dialect, fields, 1);  // the others are counted alone
    const bool cut =
        split.status == RecordStatus::complete && split.next == text.size() && text.back() != '\n';
    if (records > 0 && (cut || split.status == RecordStatus::unclosed_quote))
      break;  // the text may end in a record
    if (split.status != RecordStatus::complete) return 0;
    const bool blank = split.num_fields == 1 && fields[0].text.empty();
    if (!blank && count != 0 && split.num_fields != count) return 0;
    if (!blank) count = split.num_fields;
    from = split.next;
  }
  return count;
}

char detect_delimiter(std::string_view text, bool quoting) {
  char best = '\0';
  std::size_t most = 1;
  for (const char candidate : candidates) {
    const std::size_t fields = consistent_fields(text, {candidate, quoting});
    if (fields > most) {
      best = candidate;
      most = fields;
    }
  }
  return best;
}

Dialect choose_dialect(Input& input, Format format, const ReadOptions& options, Log& log) {
  const bool quoting = format == Format::csv || options.quote;
  if (options.delimiter) {
    if (*options.delimiter == '"' || *options.delimiter == '\n' || *options.delimiter == '\r')
      throw ConfigError("a quote or a line end cannot separate fields", "delimiter");
    return {*options.delimiter, quoting};
  }
  if (format == Format::tsv) return {'\t', quoting};
  const std::string_view text = first_records(input, {',', quoting}, options.limits);
  const char found = detect_delimiter(text, quoting);
  if (found != '\0' && found != ',')
    log.notice("fields are separated by " + delimiter_name(found) +
               " (--delimiter chooses another character)");
  return {found == '\0' ? ',' : found, quoting};
}

std::pair<std::string, std::string> describe_split(RecordStatus status, const Dialect& dialect) {
  switch (status) {
    case RecordStatus::unclosed_quote:
      return {"a quote is opened here and never closed", "a quote inside a quoted field is written twice"};
    case RecordStatus::text_after_quote:
      return {"found text after a closing quote, expected " + delimiter_name(dialect.delimiter) +
                  " or the end of the line",
              "a quote inside a quoted field is written twice"};
    case RecordStatus::quote_in_field:
      return {"found a quote inside a field that does not begin with one",
              "put the field in quotes and write the quote twice"};
    case RecordStatus::complete:
      break;
  }
  return {};
}

}  // namespace lazylogit::io
