#include "lazylogit/io/formats/jsonl_row.hpp"

#include <algorithm>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

void JsonRowReader::read(std::string_view line, JsonRowHandler& handler) {
  std::fill(is_present_.begin(), is_present_.end(), 0);
  num_kept_ = num_present_ = 0;
  unknown_keys_.clear();
  JsonReader reader(line, max_depth_);
  if (reader.peek() == '[') reader.fail("found an array, expected one object in each line");
  if (reader.peek() != '{') {
    reader.skip_value();
    throw JsonFault{line.data(), "found " + quote_text(line.substr(0, 40)) + ", expected an object"};
  }
  if (is_ignored_.size() < cells_.size())
    for (std::uint32_t c = 0; c < cells_.size(); ++c) {
      is_ignored_.push_back(handler.is_ignored(c) ? 1 : 0);
      is_sparse_.push_back(handler.is_sparse(c) ? 1 : 0);
    }
  reader.open('{');
  std::uint32_t expected = 0;
  for (std::size_t position = 0;; ++position) {
    const char* key_at = reader.at();
    std::uint32_t column = no_column;
    if (position < leads_.size() && reader.skip_text(leads_[position].text)) {
      column = leads_[position].column;
    } else {
      const char* const lead = reader.at();
      if (!reader.more('}', position == 0)) break;
      column = read_key(reader, expected, handler, key_at);
      if (column == no_column) continue;
      keep_lead(position, {lead, static_cast<std::size_t>(reader.at() - lead)}, column);
    }
    expected = column + 1;
    const JsonKind kind = reader.kind();
    if (is_present_[column] != 0) fail_twice(line, key_at);
    is_present_[column] = 1;
    cells_[column] = JsonCell(kind, reader.at());
    ++num_present_;
    read_value(reader, kind, column, handler);
  }
  unknown_keys_.check(reader.at());
  reader.expect_end();
}

// Into the column's cell, or to the handler.
void JsonRowReader::read_value(JsonReader& reader, JsonKind kind, std::uint32_t column,
                               JsonRowHandler& handler) {
  try {
    if (is_ignored_[column] != 0) {
      reader.skip_value();
    } else if (kind == JsonKind::object || kind == JsonKind::array) {
      if (is_sparse_[column] != 0)
        read_nested(reader, kind, column, handler);
      else if (kind == JsonKind::array && handler.is_list(column))
        read_list(reader, cells_[column]);
      else
        reader.skip_value();
    } else {
      read_cell(reader, kind, cells_[column]);
    }
  } catch (JsonFault& fault) {
    if (!fault.is_limit) fault.message.insert(0, "column " + quote_text(handler.name(column)) + ": ");
    throw;
  }
}

// A key and its colon: the column, or no_column with the value skipped. The reader stands at the value then.
std::uint32_t JsonRowReader::read_key(JsonReader& reader, std::uint32_t expected, JsonRowHandler& handler,
                                      const char*& key_at) {
  reader.peek();
  key_at = reader.at();
  const std::string_view key = reader.read_key(key_);
  if (key.empty()) throw JsonFault{key_at, "found an empty key, expected a name"};
  const std::uint32_t column = handler.find(key, expected);
  const JsonKind kind = reader.kind();
  if (column != no_column) return column;
  unknown_keys_.add(key, key_at);
  handler.unknown_key(key, kind);
  reader.skip_value();
  return no_column;
}

void JsonRowReader::keep_lead(std::size_t position, std::string_view text, std::uint32_t column) {
  constexpr std::size_t longest = 256, most = 16384;  // wider rows take the long way behind these
  if (position > leads_.size() || position == most || text.size() > longest) return;
  if (position == leads_.size()) leads_.emplace_back();
  leads_[position].text = text;
  leads_[position].column = column;
}

// The short way knows where the lead began, not the key.
void JsonRowReader::fail_twice(std::string_view line, const char* key_at) {
  JsonReader reader({key_at, static_cast<std::size_t>(line.data() + line.size() - key_at)}, max_depth_);
  if (reader.peek() == ',') reader.skip_text(",");
  reader.peek();
  const char* const at = reader.at();
  throw JsonFault{
      at, "the key " + quote_text(reader.read_key(key_)) + " occurs twice, expected each key at most once"};
}

void JsonRowReader::read_cell(JsonReader& reader, JsonKind kind, JsonCell& cell) {
  if (kind == JsonKind::number) {
    double number = 0;
    const std::size_t size = reader.read_number(number).size();
    cell.set_number(number, size);
  } else if (kind == JsonKind::string) {
    if (num_kept_ == kept_.size()) kept_.emplace_back();
    std::string_view text = reader.read_string(key_);
    if (text.data() == key_.data()) {
      kept_[num_kept_].swap(key_);
      text = kept_[num_kept_++];
    }
    cell.set_text(kind, text);
  } else {
    cell.set_text(kind, reader.read_literal());
  }
}

// A row has one such cell at most: the label.
void JsonRowReader::read_list(JsonReader& reader, JsonCell& cell) {
  list_.clear();
  reader.open('[');
  for (bool first = true; reader.more(']', first); first = false) {
    if (!first) list_ += ',';
    double value = 0;
    switch (reader.kind()) {
      case JsonKind::string: {
        const std::string_view label = reader.read_string(sub_key_);
        if (label.find(',') != std::string_view::npos || label.empty())
          reader.fail("found a label that is empty or has a comma, expected labels without");
        list_ += label;
        break;
      }
      case JsonKind::number:
        list_ += reader.read_number(value);
        break;
      default:
        reader.fail("found an element that is no label, expected strings");
    }
  }
  cell.set_text(JsonKind::string, list_);
}

void JsonRowReader::read_nested(JsonReader& reader, JsonKind kind, std::uint32_t column,
                                JsonRowHandler& handler) {
  const bool is_object = kind == JsonKind::object;
  const char closing = is_object ? '}' : ']';
  sub_keys_.clear();
  reader.open(is_object ? '{' : '[');
  std::size_t index = 0;
  double value = 0;
  for (bool first = true; reader.more(closing, first); first = false) {
    std::string_view key;
    if (is_object) {
      reader.peek();
      const char* const at = reader.at();
      key = reader.read_key(sub_key_);
      sub_keys_.add(key, at);
    } else {
      sub_key_ = "[" + std::to_string(index++) + "]";
      key = sub_key_;
    }
    if (reader.kind() != JsonKind::number)
      throw JsonFault{reader.at(), "found a nested value that is no number, expected numbers only", false,
                      "--ignore leaves the key out"};
    reader.read_number(value);
    handler.nested(column, key, value);
  }
  sub_keys_.check(reader.at());
}

}  // namespace lazylogit::io
