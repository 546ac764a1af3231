// One column of an Arrow batch: its cells as numbers or as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow_abi.hpp"
#include "lazylogit/data/encoded_source.hpp"

namespace lazylogit::python {

enum class ArrowKind {
  boolean,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f16,
  f32,
  f64,
  text32,
  text64,
  text_view,
  null
};

// Throws std::invalid_argument, naming the column, for types that are not read.
ArrowKind arrow_kind(const ArrowSchema& schema, const std::string& column);

// In quotation marks, as a field of a csv file.
void append_quoted(std::string_view text, std::string& out);

inline bool is_number(ArrowKind kind) { return kind <= ArrowKind::f64; }

class ArrowColumn {
 public:
  ArrowColumn(const ArrowSchema& schema, const ArrowArray& array, const std::string& name);

  bool is_null(std::int64_t row) const;
  bool has_null(std::int64_t first, std::int64_t count) const;  // of the rows [first, first + count)
  double number(std::int64_t row) const;                        // number kinds only
  data::DenseColumn cells(std::int64_t first) const;            // number kinds only: from row `first` on
  data::EncodedColumn encoded(std::int64_t first) const;        // the same, with where they are null
  std::string_view text(std::int64_t row) const;                // text kinds only, not null
  void append_text(std::int64_t row, std::string& out) const;   // a number, or text; nothing for null
  void append_field(std::int64_t row, std::string& out) const;  // the same as a field of a csv file

 private:
  template <class T>
  T at(std::int64_t row, int buffer = 1) const {
    return static_cast<const T*>(array_.buffers[buffer])[row + array_.offset];
  }
  ArrowColumn dictionary() const;
  std::int64_t dictionary_row(std::int64_t row) const;
  void append_number(std::int64_t row, std::string& out) const;

  const ArrowSchema& schema_;
  const ArrowArray& array_;
  const std::string& name_;
  ArrowKind kind_;
};

}  // namespace lazylogit::python
