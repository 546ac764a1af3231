#include "lazylogit/io/formats/jsonl_row.hpp"

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

void JsonRowReader::read(std::string_view line, JsonRowHandler& handler) {
  ++row_;
  num_kept_ = num_present_ = 0;
  unknown_keys_.clear();
  JsonReader reader(line, max_depth_);
  if (reader.peek() == '[') reader.fail("found an array, expected one object in each line");
  if (reader.peek() != '{') {
    reader.skip_value();
    throw JsonFault{line.data(), "found " + quote_text(line.substr(0, 40)) + ", expected an object"};
  }
  reader.open('{');
  std::uint32_t expected = 0;
  for (bool first = true; reader.more('}', first); first = false) {
    reader.peek();
    const char* const key_at = reader.at();
    const std::string_view key = reader.read_key(key_);
    if (key.empty()) throw JsonFault{key_at, "found an empty key, expected a name"};
    const std::uint32_t column = handler.find(key, expected);
    expected = column + 1;
    const JsonKind kind = reader.kind();
    if (column == no_column) {
      unknown_keys_.add(key, key_at);
      handler.unknown_key(key, kind);
      reader.skip_value();
      continue;
    }
    JsonCell& cell = cells_[column];
    if (cell.row == row_) throw JsonFault{key_at, "the key " + quote_text(key) + " occurs twice"};
    cell = {kind, 0, {}, reader.at(), row_};
    ++num_present_;
    if (handler.is_ignored(column)) {
      reader.skip_value();
    } else if (kind == JsonKind::object || kind == JsonKind::array) {
      if (handler.is_sparse(column))
        read_nested(reader, kind, column, handler);
      else
        reader.skip_value();
    } else {
      read_cell(reader, kind, cell);
    }
  }
  if (const char* at = unknown_keys_.repeated()) throw JsonFault{at, "a key occurs twice"};
  reader.expect_end();
}

void JsonRowReader::read_cell(JsonReader& reader, JsonKind kind, JsonCell& cell) {
  if (kind == JsonKind::number) {
    cell.text = reader.read_number(cell.number);
  } else if (kind == JsonKind::string) {
    if (num_kept_ == kept_.size()) kept_.emplace_back();
    cell.text = reader.read_string(key_);
    if (cell.text.data() == key_.data()) {
      kept_[num_kept_].swap(key_);
      cell.text = kept_[num_kept_++];
    }
  } else {
    cell.text = reader.read_literal();
  }
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
      reader.fail("found a nested value that is no number, expected numbers only");
    reader.read_number(value);
    handler.nested(column, key, value);
  }
  if (const char* at = sub_keys_.repeated()) throw JsonFault{at, "a key occurs twice in an object"};
}

}  // namespace lazylogit::io
