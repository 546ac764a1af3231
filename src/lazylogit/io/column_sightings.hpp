// What the rows of a block show of a model's columns; columns/column_watch.hpp makes sense of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit::io {

struct ColumnSightings {
  const std::string* file = nullptr;   // where the rows are from; null: rows that have no columns
  std::vector<std::uint64_t> missing;  // per column of the model: rows without a value; empty: none
  std::vector<unsigned char> keys;     // JSON, per column: whether a row has its key; empty: all are there
  std::vector<std::string> unknown;    // JSON: the first keys that the model does not know, not too many
  std::uint64_t num_unknown = 0;       // … how many values have such keys, these and others
  bool more_unknown = false;           // … there are others
  bool nested_unknown = false;         // … some value is an object or an array

  void clear();
  // A value whose key the model does not know. However many keys there are, this takes constant time.
  void add_unknown(std::string_view key, bool is_nested);
};

}  // namespace lazylogit::io
