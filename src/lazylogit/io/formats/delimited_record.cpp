#include "lazylogit/io/formats/delimited_record.hpp"

#include <algorithm>
#include <cstring>

namespace lazylogit::io {
namespace {

const char* find(const char* from, const char* end, char c) {
  return static_cast<const char*>(std::memchr(from, c, static_cast<std::size_t>(end - from)));
}

}  // namespace

std::string_view field_value(const Field& field, std::string& scratch) {
  if (!field.escaped) return field.text;
  scratch.clear();
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    scratch.push_back(field.text[i]);
    if (field.text[i] == '"') ++i;  // the splitter has seen that its twin follows
  }
  return scratch;
}

RecordSplit split_record(std::string_view text, std::size_t from, const Dialect& dialect,
                         std::vector<Field>& fields, std::size_t most) {
  fields.clear();
  std::size_t count = 0;
  const auto keep = [&](const Field& field) {
    if (++count <= most) fields.push_back(field);
  };
  const char* const base = text.data();
  const char* const end = base + text.size();
  const char* p = base + from;
  const char delimiter = dialect.delimiter;
  const auto offset = [&](const char* at) { return static_cast<std::size_t>(at - base); };
  for (;;) {
    if (dialect.quoting && p < end && *p == '"') {
      const char* const open = p;
      bool escaped = false;
      const char* close = p + 1;
      for (;; close += 2) {
        close = find(close, end, '"');
        if (close == nullptr) return {RecordStatus::unclosed_quote, 0, offset(open), count};
        if (close + 1 == end || close[1] != '"') break;
        escaped = true;
      }
      keep({{open + 1, static_cast<std::size_t>(close - open - 1)}, true, escaped});
      p = close + 1;
      if (p < end && *p == '\r' && (p + 1 == end || p[1] == '\n')) ++p;
      if (p < end && *p != delimiter && *p != '\n')
        return {RecordStatus::text_after_quote, 0, offset(p), count};
    } else {
      const char* const begin = p;
      if (dialect.quoting) {
        while (p < end && *p != delimiter && *p != '\n' && *p != '"') ++p;
        if (p < end && *p == '"') return {RecordStatus::quote_in_field, 0, offset(p), count};
      } else {
        while (p < end && *p != delimiter && *p != '\n') ++p;
      }
      const char* stop = p;
      if ((p == end || *p == '\n') && stop > begin && stop[-1] == '\r') --stop;
      keep({{begin, static_cast<std::size_t>(stop - begin)}, false, false});
    }
    if (p == end) return {RecordStatus::complete, text.size(), 0, count};
    if (*p++ == '\n') return {RecordStatus::complete, offset(p), 0, count};
  }
}

std::size_t last_record_end(std::string_view text, const Dialect& dialect) {
  if (!dialect.quoting) {
    const std::size_t at = text.rfind('\n');
    return at == std::string_view::npos ? 0 : at + 1;
  }
  // A line break ends a record where the number of quotes before it is even. The total tells which parity the
  // text ends in, so the search can run backwards and usually stops in the last line.
  bool odd = (std::count(text.begin(), text.end(), '"') & 1) != 0;
  for (std::size_t i = text.size(); i > 0; --i) {
    if (text[i - 1] == '"') odd = !odd;
    if (text[i - 1] == '\n' && !odd) return i;
  }
  return 0;
}

}  // namespace lazylogit::io
