#include "lazylogit/io/formats/delimited_rows.hpp"

#include "lazylogit/base/counted.hpp"
#include "lazylogit/io/formats/delimited_dialect.hpp"

namespace lazylogit::io {

bool DelimitedRows::reject(const char* at, std::string message, std::string hint, std::string code) {
  ErrorDetail detail = block_->place(at);
  detail.kind = ErrorKind::input;
  detail.message = std::move(message);
  detail.hint = std::move(hint);
  detail.code = std::move(code);
  return out_->note_error(std::move(detail));
}

bool DelimitedRows::starts_as_header(std::string_view first) const noexcept {
  if (!outline_->has_header) return false;
  return first == outline_->header[block_->file_index].first;
}

bool DelimitedRows::repeats_header(const std::vector<Field>& fields) const {
  return starts_as_header(fields[0].text) && is_header(fields, outline_->header[block_->file_index]);
}

RecordSplit DelimitedRows::split_next(std::vector<Field>& fields, std::size_t expected) const {
  constexpr std::size_t many = std::size_t{1} << 16;
  const std::string_view text = block_->text();
  const std::size_t most = skip_header_ ? 1 : expected + 1;
  if (most > many) {  // counted first: a field takes more memory than its text
    const RecordSplit counted = split_record(text, from_, outline_->dialect, fields, 1);
    if (counted.status != RecordStatus::complete || counted.num_fields < expected) return counted;
    fields.reserve(most);
  }
  return split_record(text, from_, outline_->dialect, fields, most);
}

std::string DelimitedRows::hint_at_fields(const char* begin, const RecordSplit& split,
                                          const std::vector<Field>& fields) const {
  const std::size_t expected = outline_->header[block_->file_index].num_fields;
  if (split.num_fields <= expected) return {};
  const std::string delimiter = delimiter_name(outline_->dialect.delimiter);
  const std::string quotes =
      outline_->dialect.quoting ? "a field that holds " + delimiter + " is put in quotes" : "";
  // The first row tells most about the header.
  const bool is_first = first_row_ > 0 && begin == block_->text().data() + first_row_;
  if (!is_first || split.num_fields != expected + 1) return quotes;
  if (fields[expected].text.empty())
    return "the row ends in a " + delimiter + " that the header does not have";
  if (fields[0].text != "1" && fields[0].text != "\"1\"") return quotes;
  return quotes + (quotes.empty() ? "" : "; ") +
         "numbers of rows need a name in the header, too, if only an empty one (R: col.names = NA), "
         "or are left out (row.names = FALSE)";
}

bool DelimitedRows::next(std::vector<Field>& fields) {
  const std::string_view text = block_->text();
  const std::size_t expected = outline_->header[block_->file_index].num_fields;
  while (from_ < text.size()) {
    const char* const begin = text.data() + from_;
    const bool has_mark = is_byte_order_mark(begin);
    if (has_mark) from_ += byte_order_mark.size();
    const RecordSplit split = split_next(fields, expected);
    if (split.status != RecordStatus::complete) {
      // Go on with the line after the misplaced quote: where the record would have ended cannot be known.
      const std::size_t line_end = text.find('\n', split.at);
      from_ = line_end == std::string_view::npos ? text.size() : line_end + 1;
      const char* bad = bad_bytes_.before(text.data() + split.at);
      if (bad != nullptr || has_mark) {
        if (!out_->note_error(bad_byte_error(*block_, bad != nullptr ? bad : begin))) return false;
        continue;
      }
      auto [message, hint] = describe_split(split.status, outline_->dialect);
      if (!reject(text.data() + split.at, std::move(message), std::move(hint), "bad-quote")) return false;
      continue;
    }
    from_ = split.next;
    if (const char* bad = bad_bytes_.before(text.data() + from_)) {
      if (!out_->note_error(bad_byte_error(*block_, bad))) return false;
      continue;
    }
    if (skip_header_) {
      skip_header_ = false;
      first_row_ = from_;
      continue;
    }
    const bool is_repeated = split.num_fields == expected && repeats_header(fields);
    if (has_mark && !is_repeated) {
      if (!out_->note_error(bad_byte_error(*block_, begin))) return false;
      continue;
    }
    if (split.num_fields == expected) {
      if (!is_repeated) return true;
      if (!reject(begin, "the header is repeated here, as in files put one after another, expected a row",
                  "give the files one by one; without a header, use --no-header", "repeated-header"))
        return false;
      continue;
    }
    if (split.num_fields == 1 && fields[0].text.empty() && !fields[0].quoted) continue;
    const char* at = split.num_fields > expected ? field_begin(fields[expected]) : begin;
    if (!reject(at,
                "found " + lazylogit::counted(split.num_fields, "field") + ", expected " +
                    std::to_string(expected),
                hint_at_fields(begin, split, fields), "wrong-field-count"))
      return false;
  }
  return false;
}

}  // namespace lazylogit::io
