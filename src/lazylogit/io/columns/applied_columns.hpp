// The columns that a model wants of its input: its features, and those with a role.
//
// A role that an option of this run names wins over the one the model was trained with. Features and the
// offset must be there; so must the label where labels are required. Other roles of the training may be
// absent. A column has one role (ConfigError), but one that is passed through as id may have another.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/io/columns/column_encoder.hpp"
#include "lazylogit/io/columns/row_roles.hpp"
#include "lazylogit/io/columns/table_plan.hpp"

namespace lazylogit::io {

struct AppliedColumn {
  std::string name;
  ColumnRole role = ColumnRole::feature;
  std::size_t feature = 0;  // role feature: the column of the model
  bool required = true;     // its absence is an error
  std::string why;          // what asks for it, for that error; empty: it is a feature of the model
  bool is_asked = false;    // by an option of this run, which `why` names
};

std::vector<AppliedColumn> applied_columns(const data::InputSpec& input, const ReadOptions& options);

RowRoles::Present present_roles(const std::vector<AppliedColumn>& columns);

// Of one row that is being encoded: what is done with a cell. `missing` as told by the format.
// On a bad cell: the error without its place.
std::optional<ErrorDetail> encode_text(const ColumnEncoder& encoder, std::size_t column,
                                       std::string_view text, ColumnEncoder::Scratch& scratch, RowBlock& out);

// Whether the cell of a column exceeds --max-field-bytes, which text documents may.
bool is_too_long(const data::ColumnSpec& column, std::string_view text, const ReadOptions& options);

// Completes the open row, or says why not (without a place). `throw row_too_long` is up to the caller.
RowEnd complete_encoded_row(std::uint32_t label, RowBlock& out);

// The error for RowEnd::overflow, without its place.
ErrorDetail float_overflow();

}  // namespace lazylogit::io
