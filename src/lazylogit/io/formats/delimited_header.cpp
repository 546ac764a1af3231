#include "lazylogit/io/formats/delimited_header.hpp"

#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/foreign_bytes.hpp"
#include "lazylogit/io/formats/delimited_dialect.hpp"
#include "lazylogit/io/formats/row_index.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

ErrorDetail header_error(const Input& input, std::string_view text, const char* at, std::string message,
                         std::string hint, std::string code) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = input.name();
  const auto offset = static_cast<std::size_t>(at - text.data());
  const std::string_view before = text.substr(0, offset);
  detail.line = 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_begin = before.rfind('\n');
  detail.column = offset - (line_begin == std::string_view::npos ? 0 : line_begin + 1) + 1;
  detail.message = std::move(message);
  detail.hint = std::move(hint);
  detail.code = std::move(code);
  return detail;
}

ErrorDetail too_long_record(const std::string& file, const Limits& limits) {
  return {.message =
              "a line is longer than " + std::to_string(limits.max_line_bytes) + " bytes, which is the limit",
          .hint = "see --max-line-bytes",
          .file = file,
          .line = 1,
          .column = 1,
          .code = "line-too-long"};
}

ErrorDetail nameless_column(const Input& input, std::string_view text, const char* at, std::size_t column) {
  return header_error(
      input, text, at,
      "column " + std::to_string(column + 1) + " has no name, expected a header with a name for each column",
      "give it one, or delete it; without a header, use --no-header", "empty-name");
}

// The names in a header, with an index.
struct HeaderNames {
  data::Alphabet names;
  bool has_row_index = false;  // the first is not written
};

data::Alphabet names_in(const Input& input, std::string_view text, const std::vector<Field>& fields,
                        const ReadOptions& options, bool may_be_numbers) {
  data::Alphabet names;
  std::string scratch;
  bool all_numbers = true;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const char* at = field_begin(fields[i]);
    const bool is_index = fields[i].text.empty();
    const std::string_view name = is_index ? row_index_name : field_value(fields[i], scratch);
    double value = 0;
    all_numbers = all_numbers && (is_index || parse_cell_number(name, value) == NumberStatus::ok);
    if (name.size() > options.limits.max_name_bytes)
      throw LimitError(header_error(input, text, at,
                                    "a column name is longer than the limit of " +
                                        std::to_string(options.limits.max_name_bytes) + " bytes",
                                    "see --max-name-bytes", "limit"));
    const FeatureId place = names.intern(name);
    if (place < i)
      throw InputError(header_error(input, text, at,
                                    "columns " + std::to_string(place + 1) + " and " + std::to_string(i + 1) +
                                        " have the same name " + quote_text(name),
                                    "without a header, use --no-header", "repeated-name"));
  }
  if (all_numbers && !may_be_numbers && options.target.empty())
    throw InputError(header_error(
        input, text, field_begin(fields[0]), "every column name is a number, as if the header were missing",
        "use --no-header; if they are names, choose the label column with --target", "no-header"));
  return names;
}

data::Alphabet numbered_names(std::size_t size) {
  data::Alphabet names;
  for (std::size_t i = 1; i <= size; ++i) names.intern(std::to_string(i));
  return names;
}

HeaderNames read_names(Input& input, const Dialect& dialect, const ReadOptions& options,
                       bool may_be_numbers) {
  const std::string_view text = first_records(input, dialect, options.limits);
  std::vector<Field> fields;
  // Counted first: a field takes more memory than its text.
  const RecordSplit split = split_record(text, 0, dialect, fields, 2);
  if (split.status != RecordStatus::complete) {
    const auto [message, hint] = describe_split(split.status, dialect);
    throw InputError(header_error(input, text, text.data() + split.at, message, hint, "bad-quote"));
  }
  const bool has_row_index = options.header && fields[0].text.empty();
  if (has_row_index && split.num_fields == 1 && !fields[0].quoted)
    throw InputError(header_error(input, text, field_begin(fields[0]),
                                  "the line is blank, expected a header with a name for each column",
                                  "delete the blank lines above the table", "blank-header"));
  if (has_row_index && fields.back().text.empty())
    throw InputError(nameless_column(input, text, field_begin(fields[0]), 0));
  // Fewer features than columns are fine where cells are 0.
  const std::uint64_t most = std::max(options.limits.max_row_features, Limits{}.max_row_features);
  if (split.num_fields > most)
    throw LimitError(header_error(input, text, text.data(),
                                  std::to_string(split.num_fields) + " columns are more than " +
                                      std::to_string(most) + ", which is the limit",
                                  "see --max-row-features", "too-many-features"));
  if (const char* bad = find_bad_byte(text.substr(0, split.next))) {
    TextBlock block;
    block.storage.append({text.data(), split.next});
    block.size = split.next;
    block.file = &input.name();
    throw InputError(bad_byte_error(block, block.storage.data() + (bad - text.data())));
  }
  if (!options.header) return {numbered_names(split.num_fields)};
  fields.reserve(split.num_fields);
  split_record(text, 0, dialect, fields);
  for (std::size_t i = 1; i < fields.size(); ++i)
    if (fields[i].text.empty()) throw InputError(nameless_column(input, text, field_begin(fields[i]), i));
  return {names_in(input, text, fields, options, may_be_numbers), has_row_index};
}

[[noreturn]] void fail_empty(const Input& input) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = input.name();
  detail.message = "the input is empty, expected a table";
  detail.code = "empty-input";
  throw InputError(std::move(detail));
}

// Names one after another, each with its length.
class FieldDigest {
 public:
  FieldDigest() : state_(XXH3_createState(), XXH3_freeState) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }
  void add(std::string_view text) {
    const std::uint64_t size = text.size();
    XXH3_128bits_update(state_.get(), &size, sizeof size);
    XXH3_128bits_update(state_.get(), text.data(), text.size());
  }
  void write(std::uint64_t (&digest)[2]) const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    digest[0] = hash.low64;
    digest[1] = hash.high64;
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

HeaderMark mark_of(const HeaderNames& header) {
  const auto written = [&](FeatureId i) {
    return i == 0 && header.has_row_index ? std::string_view() : header.names.name(i);
  };
  HeaderMark mark{.first = std::string(written(0)), .digest = {}, .num_fields = header.names.size()};
  FieldDigest digest;
  for (FeatureId i = 0; i < header.names.size(); ++i) digest.add(written(i));
  digest.write(mark.digest);
  return mark;
}

// The header of each file, under one dialect: `take` gets their names, file by file.
template <class Take>
DelimitedOutline read_headers(std::vector<Input>& inputs, Format format, const ReadOptions& options, Log& log,
                              bool may_be_numbers, bool one_pass, Take take) {
  DelimitedOutline outline;
  outline.has_header = options.header;
  for (Input& input : inputs) {
    if (!one_pass) input.keep_while_reading();
    const std::string_view head = input.peek(4);
    refuse_other_than_text(head, input.name());
    if (head.empty()) fail_empty(input);
  }
  outline.dialect = choose_dialect(inputs.front(), format, options, log);
  for (Input& input : inputs) {
    HeaderNames header = read_names(input, outline.dialect, options, may_be_numbers);
    outline.has_row_index = outline.has_row_index || (outline.header.empty() && header.has_row_index);
    outline.header.push_back(mark_of(header));
    take(outline, input, std::move(header.names));
  }
  return outline;
}

[[noreturn]] void fail_other_columns(const Input& input, const Input& first, std::string_view name,
                                     bool lacks) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = input.name();
  detail.line = detail.column = 1;
  detail.message =
      (lacks ? "column " + quote_text(name) + " of " : "column " + quote_text(name) + " is not in ") +
      quote_text(first.name()) + (lacks ? " is absent here" : "") +
      ", expected the same columns in every input";
  detail.code = "other-columns";
  throw InputError(std::move(detail));
}

}  // namespace

std::string_view first_records(Input& input, const Dialect& dialect, const Limits& limits) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  const std::uint64_t most = std::max<std::uint64_t>(limits.max_line_bytes + 4, 65536);
  for (std::uint64_t size = 65536;; size = size * 4 < most ? size * 2 : most) {
    std::string_view text = input.peek(static_cast<std::size_t>(size));
    const bool whole = text.size() < size;
    if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
    if (whole || last_record_end(text, dialect) > 0) return text;
    if (size == most) throw LimitError(too_long_record(input.name(), limits));
  }
}

DelimitedOutline outline_tables(std::vector<Input>& inputs, Format format, const ReadOptions& options,
                                Log& log) {
  const auto take = [&](DelimitedOutline& outline, const Input& input, data::Alphabet names) {
    std::vector<std::uint32_t> fields(names.size());
    std::iota(fields.begin(), fields.end(), 0U);
    if (outline.field_of.empty()) {
      outline.names = std::move(names);
    } else {
      fields.assign(outline.names.size(), no_field);
      for (std::uint32_t i = 0; i < names.size(); ++i) {
        const auto found = outline.names.find(names.name(i));
        if (!found) fail_other_columns(input, inputs.front(), names.name(i), false);
        fields[*found] = i;
      }
      for (std::uint32_t c = 0; c < fields.size(); ++c)
        if (fields[c] == no_field) fail_other_columns(input, inputs.front(), outline.names.name(c), true);
    }
    outline.field_of.push_back(std::move(fields));
  };
  return read_headers(inputs, format, options, log, false, false, take);
}

DelimitedOutline outline_tables_for(std::vector<Input>& inputs, const std::vector<std::string>& names,
                                    Format format, const ReadOptions& options, Log& log, bool one_pass) {
  const auto take = [&](DelimitedOutline& outline, const Input&, const data::Alphabet& header) {
    std::vector<std::uint32_t> fields;
    fields.reserve(names.size());
    for (const std::string& name : names) fields.push_back(header.find(name).value_or(no_field));
    outline.field_of.push_back(std::move(fields));
  };
  return read_headers(inputs, format, options, log, true, one_pass, take);
}

std::vector<std::string> header_names(Input& input, const DelimitedOutline& outline,
                                      const ReadOptions& options) {
  const data::Alphabet names = read_names(input, outline.dialect, options, true).names;
  std::vector<std::string> copies;
  for (FeatureId i = 0; i < names.size(); ++i) copies.emplace_back(names.name(i));
  return copies;
}

bool is_header(const std::vector<Field>& fields, const HeaderMark& header) {
  HeaderMark mark{.first = header.first, .digest = {}, .num_fields = fields.size()};
  FieldDigest digest;
  std::string scratch;
  for (const Field& field : fields) digest.add(field_value(field, scratch));
  digest.write(mark.digest);
  return mark == header;
}

}  // namespace lazylogit::io
