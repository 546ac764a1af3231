// {"id":…,"label":…,"weight":…,"offset":…,"features":{"name":value,…}}
#include <string>

#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

void append_string(std::string& out, std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += digits[(c >> 4) & 1];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

// Labels that are whole numbers are written as numbers; every other label is a string (the reader makes no
// difference between the two).
void append_label(std::string& out, std::string_view label) {
  const std::string_view digits = label.starts_with('-') ? label.substr(1) : label;
  const bool whole = !digits.empty() && digits.size() <= 15 &&
                     digits.find_first_not_of("0123456789") == std::string_view::npos &&
                     (digits.size() == 1 || digits[0] != '0');
  if (whole)
    out += label;
  else
    append_string(out, label);
}

}  // namespace

void write_jsonl(Table& table, const WriteContext& context) {
  std::string line;
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    line = "{";
    if (table.has_ids()) {
      line += "\"id\":";
      append_string(line, table.id(i));
      line += ',';
    }
    if (const std::string_view label = table.label(i); !label.empty()) {
      line += "\"label\":";
      append_label(line, label);
      line += ',';
    }
    if (table.has_weights()) line += "\"weight\":", append_shortest(line, table.weight(i)), line += ',';
    if (table.has_offsets()) line += "\"offset\":", append_shortest(line, table.offset(i)), line += ',';
    line += "\"features\":{";
    bool first = true;
    for (const Cell& cell : table.row(i)) {
      if (!first) line += ',';
      first = false;
      append_string(line, table.names()[cell.feature]);
      line += ':';
      table.append_number(line, cell.value);
    }
    line += "}}\n";
    context.out.write(line);
  }
  if (table.has_weights()) context.log.notice("key weight: read it with --weight weight");
  if (table.has_offsets()) context.log.notice("key offset: read it with --offset offset");
  if (table.has_ids()) context.log.notice("key id: read it with --id id");
}

}  // namespace lazylogit::io
