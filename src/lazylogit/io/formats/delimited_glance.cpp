// assume_types of delimited_learning.hpp: a glance at the first records.
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/formats/delimited_learning.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

// What the cells of a column look like. A table may have a million columns.
struct Glance {
  std::uint32_t present = 0, blanks = 0, distinct = 0;
  bool numbers = true;
};

// The column and a hash of a text: equal ones of different texts can only make an assumption wrong.
std::uint64_t text_mark(std::size_t column, std::string_view text) {
  return std::uint64_t{column} << 32 | (XXH3_64bits(text.data(), text.size()) >> 32);
}

}  // namespace

void assume_types(const DelimitedOutline& outline, std::string_view first_records, TablePlan& plan) {
  std::vector<Glance> glances(plan.columns.size());
  Buffer<std::uint64_t> texts;
  std::vector<Field> fields;
  std::string scratch;
  bool header = outline.has_header;
  for (std::size_t from = 0; from < first_records.size();) {
    const RecordSplit split = split_record(first_records, from, outline.dialect, fields);
    if (split.status != RecordStatus::complete) break;
    from = split.next;
    if (header || fields.size() != plan.columns.size()) {
      header = false;
      continue;
    }
    if (from == first_records.size() && first_records.back() != '\n') break;  // maybe cut
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::string_view text = field_value(fields[c], scratch);
      if (is_missing_cell(text)) continue;
      Glance& glance = glances[c];
      double value = 0;
      ++glance.present;
      if (glance.numbers) glance.numbers = parse_cell_number(text, value) != NumberStatus::malformed;
      if (glance.numbers) continue;
      glance.blanks += text.find(' ') != std::string_view::npos ? 1 : 0;
      texts.push_back(text_mark(c, text));
    }
  }
  std::sort(texts.begin(), texts.end());
  for (std::size_t k = 0; k < texts.size(); ++k)
    glances[texts[k] >> 32].distinct += k == 0 || texts[k] != texts[k - 1] ? 1 : 0;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    ColumnPlan& column = plan.columns[c];
    if (column.role != ColumnRole::feature || column.type_is_given) continue;
    const Glance& glance = glances[c];
    if (glance.numbers)
      column.type = ColumnType::numeric;
    else if (glance.blanks * 2 > glance.present && glance.distinct * 2 > glance.present)
      column.type = ColumnType::text;
    else
      column.type = ColumnType::categorical;
  }
  number_slots(plan);
}

}  // namespace lazylogit::io
