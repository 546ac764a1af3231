#include "lazylogit/io/formats/row_index.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {
namespace {

bool is_spoken_of(const ReadOptions& options) {
  const auto is_it = [](const std::string& name) { return name == row_index_name; };
  const std::string* const roles[] = {&options.target, &options.id,    &options.weight,
                                      &options.offset, &options.count, &options.choices};
  const std::vector<std::string>* const lists[] = {&options.ignore, &options.categorical, &options.text,
                                                   &options.derived.log, &options.derived.log1p};
  return std::any_of(std::begin(roles), std::end(roles), [&](const auto* name) { return is_it(*name); }) ||
         std::any_of(std::begin(lists), std::end(lists),
                     [&](const auto* names) { return std::any_of(names->begin(), names->end(), is_it); });
}

// The first value that is neither new nor the count of rows going on (from any number, and again from 0 or 1 where tables
// were put one after another); empty: there is none.
std::string first_repetition(std::string_view records, const Dialect& dialect) {
  constexpr std::size_t looked_at = 1000;
  std::vector<Field> fields;
  std::set<std::string, std::less<>> seen;
  std::string scratch;
  std::uint64_t before = 0;
  bool counts = true;  // so far
  std::string repeated;
  std::size_t from = split_record(records, 0, dialect, fields, 1).next;
  const std::string_view header = records.substr(0, from);
  for (std::size_t row = 0; row < looked_at && from < records.size(); ++row) {
    const RecordSplit split = split_record(records, from, dialect, fields, 1);
    if (split.status != RecordStatus::complete) break;
    if (records.substr(from, split.next - from) == header) break;  // the rows will be refused for it
    from = split.next;
    if (split.num_fields == 1) continue;  // a blank line
    const std::string_view value = field_value(fields[0], scratch);
    std::uint64_t number = 0;
    counts = counts && parse_integer(value, UINT64_MAX, number) == NumberStatus::ok &&
             (row == 0 || number == before + 1 || number <= 1);
    before = number;
    if (!seen.emplace(value).second && repeated.empty()) repeated = value.empty() ? "(empty)" : value;
    if (!counts && !repeated.empty()) return repeated;
  }
  return {};
}

}  // namespace

ReadOptions with_row_index(const ReadOptions& options, const DelimitedOutline& outline, Input& input,
                           Log& log) {
  ReadOptions result = options;
  if (!outline.has_row_index || is_spoken_of(options)) return result;
  const std::string repeated =
      first_repetition(first_records(input, outline.dialect, options.limits), outline.dialect);
  if (!repeated.empty())
    throw InputError({.kind = ErrorKind::input,
                      .message = "column 1 has no name, and its values are no names of rows (" +
                                 quote_text(repeated) +
                                 " repeats), expected a header with a name for each column",
                      .hint = "--ignore \"#1\" leaves it out; without a header, use --no-header",
                      .file = input.name(),
                      .line = 1,
                      .column = 1,
                      .code = "empty-name"});
  log.notice(
      "column 1 has no name: it is taken for the names of rows, not for a feature (--id \"#1\" passes them "
      "through)");
  result.ignore.emplace_back(row_index_name);
  return result;
}

}  // namespace lazylogit::io
