// Tables that lie in memory with their types, as frames do: the features that the csv file of the table would have, without
// the text and without a copy.
//
// A column holds numbers, or codes of texts. Texts are judged as cells of a file are: "NA" is missing, a column whose texts
// are all numbers is one of numbers. Nothing where only the text will do: columns that hold documents, types that options
// turn into others, hashed and derived features, missing cells that are not to be imputed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/data/encoded_source.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

// A column within a batch of consecutive rows. Of `column` the cells and where they are present are given.
struct TypedPart {
  data::EncodedColumn column = {};
  std::shared_ptr<const data::Alphabet> texts =
      nullptr;  // by code, some maybe twice; null: the cells are numbers
};

struct TypedColumn {
  std::string name;
  std::vector<TypedPart> parts;  // one per batch: all of numbers or all of codes
};

struct TypedTable {
  std::vector<std::size_t> batch_rows;
  std::vector<TypedColumn> columns;
};

// Throws InputError for infinite numbers and for codes without a text. Negative codes are missing cells.
void check_cells(const TypedTable& table);

// Both for tables that are checked.
// Names, encodings and rows, which read the cells where they lie. The label column, which is not among the columns, is called
// options.target. InputError as for files.
std::optional<data::Dataset> learn_typed(const TypedTable& table, const ReadOptions& options, Log& log);

// Rows under the names of a model; columns are found by name, others are left alone.
std::optional<data::SparseMatrix> apply_typed(const TypedTable& table, const FixedNames& names);

}  // namespace lazylogit::io
