// Tables of any library that speaks Arrow, through the C data interface (PyCapsule protocol): __arrow_c_stream__, or
// __arrow_c_array__ for a single batch. Nothing of Arrow's is needed to build or run.
//
// Columns of integers, floats and booleans are numbers; text, dictionaries and nulls make the table one of columns with
// types. Other types are a ValueError that names the column. Batches stay where the producer has them.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow_abi.hpp"
#include "lazylogit/io/inputs.hpp"
#include "typed_rows.hpp"

namespace lazylogit::python {

// What the producer handed over.
struct ArrowBatches {
  Held<ArrowSchema> schema;
  std::deque<Held<ArrowArray>> batches;
  std::vector<std::string> names;
};

class ArrowRows {
 public:
  // Throws std::invalid_argument for types that are not read, and what the producer reports.
  // `texts`: by name, the texts of columns of codes, by code.
  ArrowRows(nanobind::handle object, const nanobind::dict& texts);

  const std::vector<std::string>& names() const noexcept { return kept_->names; }
  std::size_t num_rows() const noexcept;
  bool are_numbers() const noexcept { return are_numbers_; }
  // All columns as numbers. Throws std::invalid_argument where one is null.
  Table numbers() const;
  // Names and types learned (typed_rows.hpp), or those of a model.
  std::optional<Table> typed(const Options& options) const;
  std::optional<Table> typed(const Fitted& model) const;
  // Header and records of a csv file. `codes`, if not null one per row, become the last column, c0, c1, …, called `target`.
  io::Input::Maker csv(const std::int64_t* codes, const std::string& target) const;

 private:
  struct Typed;
  std::shared_ptr<Typed> typed_table() const;  // null where codes will not do

  std::shared_ptr<ArrowBatches> kept_;
  std::map<std::string, std::shared_ptr<const data::Alphabet>> texts_;
  bool are_numbers_ = true;
};

}  // namespace lazylogit::python
