// From what the user typed about derived features to a DerivedSpec, with every name checked.
//
// An operand of --interactions is a column (csv, tsv, jsonl), "log(NAME)", "log1p(NAME)" or "bins(NAME)" of a column
// that has one, a namespace or a whole feature name (vw), a feature number (libsvm, arrays), "text" (plain text), or "."
// for everything. A column whose own name holds "*" is found where the pieces around it make up its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/io/columns/table_plan.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

inline constexpr std::string_view every_column = ".";

// Names of derived columns, as operands and (log, log1p) as features.
std::string log_name(std::string_view column);
std::string log1p_name(std::string_view column);
std::string bins_name(std::string_view column);

struct BinRequest {
  std::string column;
  int bins = 0;
};
BinRequest parse_bins(const std::string& text);  // "NAME=N"; ConfigError

// Before the rows of a table are read: every column that is named exists. InputError at `place`, with the nearest name.
void check_derived_columns(const DerivedOptions& options, const std::vector<std::string>& columns,
                           const HeaderPlace& place);

// Everything but the edges of bins, which are learned from rows; `input` is that of the base features.
// Names that cannot be what the options take them for: ConfigError or InputError.
data::DerivedSpec plan_derived(const DerivedOptions& options, const data::InputSpec& input);

}  // namespace lazylogit::io
