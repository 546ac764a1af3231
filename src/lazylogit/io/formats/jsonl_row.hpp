// One line of JSON lines: an object whose keys are columns.
//
// Most rows write the same keys in the same order with the same blanks: what stands before each value is compared
// with what stood there in the row before, and only taken apart where it differs.
//
// Plain values are kept as cells until the row is complete, in whatever order the keys come; objects and
// arrays of numbers go to the handler one number at a time. Other nested values, repeated keys and everything
// that is no JSON are faults with a place.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/io/columns/table_plan.hpp"
#include "lazylogit/io/formats/json_reader.hpp"

namespace lazylogit::io {

// A row may have a million of them.
class JsonCell {
 public:
  JsonCell() = default;
  JsonCell(JsonKind kind, const char* at) noexcept : at_(at), kind_(kind) {}

  JsonKind kind() const noexcept { return kind_; }
  const char* at() const noexcept { return at_; }
  double number() const noexcept { return value_.number; }  // of a number
  // Numbers and literals as written, strings unescaped.
  std::string_view text() const noexcept { return {kind_ == JsonKind::number ? at_ : value_.text, size_}; }
  std::size_t size() const noexcept { return size_; }  // of text()
  // As written at at().
  void set_number(double number, std::size_t size) noexcept {
    value_.number = number;
    set_size(size);
  }
  void set_text(JsonKind kind, std::string_view text) noexcept {
    value_.text = text.data();
    kind_ = kind;
    set_size(text.size());
  }

 private:
  void set_size(std::size_t size) noexcept { size_ = size & ((std::uint64_t{1} << 56) - 1); }

  const char* at_ = nullptr;
  union {
    double number;
    const char* text = nullptr;
  } value_;
  std::uint64_t size_ : 56 = 0;
  JsonKind kind_ : 8 = JsonKind::null;
};
static_assert(sizeof(JsonCell) == 24);

// What becomes of keys and nested numbers.
class JsonRowHandler {
 public:
  virtual ~JsonRowHandler() = default;
  // The column of a key, or no_column. `expected` is the column after that of the key before.
  virtual std::uint32_t find(std::string_view key, std::uint32_t expected) const = 0;
  virtual std::string_view name(std::uint32_t column) const = 0;  // for messages
  virtual bool is_ignored(std::uint32_t column) const = 0;
  virtual bool is_sparse(std::uint32_t column) const = 0;
  // Whether an array of strings and numbers is taken as one text, its elements joined by commas: sets of labels.
  virtual bool is_list(std::uint32_t) const { return false; }
  virtual void unknown_key(std::string_view key, JsonKind kind) = 0;
  virtual void nested(std::uint32_t column, std::string_view key, double value) = 0;
};

class JsonRowReader {
 public:
  JsonRowReader(std::size_t num_columns, int max_depth)
      : cells_(num_columns), is_present_(num_columns), max_depth_(max_depth) {}

  // Throws JsonFault. The same handler in every call.
  void read(std::string_view line, JsonRowHandler& handler);

  // The cell of a column in the row read last, or nullptr where the key is absent.
  const JsonCell* cell(std::uint32_t column) const {
    return is_present_[column] != 0 ? &cells_[column] : nullptr;
  }
  std::size_t num_present() const noexcept { return num_present_; }

 private:
  // What stood before a value: the comma, the key, the colon and all blanks.
  struct Lead {
    std::string text;
    std::uint32_t column = no_column;
  };
  std::uint32_t read_key(JsonReader& reader, std::uint32_t expected, JsonRowHandler& handler,
                         const char*& key_at);
  void keep_lead(std::size_t position, std::string_view text, std::uint32_t column);
  [[noreturn]] void fail_twice(std::string_view line, const char* key_at);
  void read_value(JsonReader& reader, JsonKind kind, std::uint32_t column, JsonRowHandler& handler);
  void read_cell(JsonReader& reader, JsonKind kind, JsonCell& cell);
  void read_nested(JsonReader& reader, JsonKind kind, std::uint32_t column, JsonRowHandler& handler);
  void read_list(JsonReader& reader, JsonCell& cell);

  std::vector<JsonCell> cells_;
  std::vector<unsigned char> is_present_;  // in the row
  int max_depth_;
  std::size_t num_present_ = 0;
  std::deque<std::string> kept_;  // not a vector: views of short strings must stay
  std::size_t num_kept_ = 0;
  std::string key_, sub_key_, list_;
  std::vector<Lead> leads_;  // of the k-th key, in the row that the short way did not fit last
  std::vector<unsigned char> is_ignored_, is_sparse_;  // per column, as the handler says
  JsonKeySet unknown_keys_, sub_keys_;
};

}  // namespace lazylogit::io
