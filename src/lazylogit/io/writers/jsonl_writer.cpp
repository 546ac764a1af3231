// {"id":…,"label":…,"weight":…,"offset":…,"name":value,…} or, for wide tables, …,"features":{"name":value,…}}
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

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
// difference between the two). No label is null.
void append_label(std::string& out, std::string_view label) {
  if (label.empty()) {
    out += "null";
    return;
  }
  const std::string_view digits = label.starts_with('-') ? label.substr(1) : label;
  const bool whole = !digits.empty() && digits.size() <= 15 &&
                     digits.find_first_not_of("0123456789") == std::string_view::npos &&
                     (digits.size() == 1 || digits[0] != '0');
  if (whole)
    out += label;
  else
    append_string(out, label);
}

// Flat objects say the same as a csv table, zeros included; wide tables and those with a feature that is
// called like a role nest what is not zero.
bool fits_flat(const Table& table) {
  constexpr std::size_t max_flat = 1000;
  constexpr std::array<std::string_view, 5> roles = {"id", "label", "weight", "offset", nested_features_key};
  return table.names().size() <= max_flat &&
         std::none_of(table.names().begin(), table.names().end(), [&](const std::string& name) {
           std::string lower = name;
           for (char& c : lower)
             if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
           return std::find(roles.begin(), roles.end(), lower) != roles.end();
         });
}

void append_flat(std::string& line, Table& table, std::size_t i) {
  const std::vector<Cell>& cells = table.row(i);
  std::size_t next = 0;
  for (std::uint32_t feature = 0; feature < table.names().size(); ++feature) {
    line += ',';
    append_string(line, table.names()[feature]);
    line += ':';
    if (next < cells.size() && cells[next].feature == feature)
      table.append_number(line, cells[next++].value);
    else
      line += '0';
  }
}

void append_nested(std::string& line, Table& table, std::size_t i) {
  line += ",\"" + std::string(nested_features_key) + "\":{";
  bool first = true;
  for (const Cell& cell : table.row(i)) {
    if (!first) line += ',';
    first = false;
    append_string(line, table.names()[cell.feature]);
    line += ':';
    table.append_number(line, cell.value);
  }
  line += '}';
}

}  // namespace

void write_jsonl(Table& table, const WriteContext& context) {
  const bool flat = fits_flat(table);
  std::string line;
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    line = "{";
    if (table.has_ids()) line += "\"id\":", append_string(line, table.id(i)), line += ',';
    line += "\"label\":";
    append_label(line, table.label(i));
    if (table.has_weights()) line += ",\"weight\":", append_shortest(line, table.weight(i));
    if (table.has_offsets()) line += ",\"offset\":", append_shortest(line, table.offset(i));
    if (flat)
      append_flat(line, table, i);
    else
      append_nested(line, table, i);
    line += "}\n";
    context.out.write(line);
  }
  for (const auto& [there, role] :
       {std::pair(table.has_ids(), "id"), std::pair(table.has_weights(), "weight"),
        std::pair(table.has_offsets(), "offset")})
    if (there) context.log.notice(fmt::format("key {}: read it with --{} {}", role, role, role));
}

}  // namespace lazylogit::io
