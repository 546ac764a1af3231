// data::InputSpec as one canonical JSON document, and back: the part of a model that turns raw rows into
// features.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/model/json_fields.hpp"

namespace lazylogit::model {

std::string write_input_record(const data::InputSpec& input);

// Of a wide table, the columns and the names of those ignored are tensors of their own (column_tensors.hpp), and the record
// says how many there are.
struct WideTable {
  std::uint64_t num_columns = 0, num_ignored = 0;
};
bool is_wide(const data::InputSpec& input);
// The record as it stands in a file, without columns where the table is wide.
std::string write_stored_input(const data::InputSpec& input);

// Throws InputError for anything that write_stored_input would not write. Where `wide` is filled in, the columns are to be
// read from tensors, and check_derived to be called then.
data::InputSpec parse_input_record(std::string_view text, const JsonPlace& place,
                                   std::optional<WideTable>* wide = nullptr);
// Logarithms and bins are of numeric columns, and products of names that can be told apart.
void check_derived(const data::InputSpec& input, const JsonPlace& place);

}  // namespace lazylogit::model
