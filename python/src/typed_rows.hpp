// Frames with columns of text and categories beside numbers, read where they lie (io/columns/typed_table.hpp).
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "fitting.hpp"
#include "lazylogit/io/columns/typed_table.hpp"
#include "reading.hpp"

namespace lazylogit::python {

// Learns names from the table, or takes those of a model; without the GIL. Nothing where only text will do. The cells that the
// table reads must outlive the result.
std::optional<Table> rows_of_typed(const io::TypedTable& table, const Options& options);
std::optional<Table> rows_of_typed(const io::TypedTable& table, const Fitted& model);

// The texts of a list; none stands for a missing cell.
std::shared_ptr<const data::Alphabet> texts_of(const nanobind::list& list);

// Columns as Python hands them over: (name, array of numbers), (name, array of codes, list of their texts) or
// (name, TextCodes).
class TypedColumns {
 public:
  explicit TypedColumns(const nanobind::list& columns);
  const io::TypedTable& table() const noexcept { return table_; }

 private:
  void add(const nanobind::tuple& column);
  io::TypedTable table_;
};

}  // namespace lazylogit::python
