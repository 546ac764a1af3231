// What each column of a table is for, and how one pass over the data reads it.
//
// Roles come from the options; the label column, when none is named, is the first one called label, target,
// class or y in any case (a warning names the others, and it is refused where it is nested), else the last one (with a
// notice). The type of a feature column is an assumption
// for one pass: the pass itself finds out what the column holds (table_learner.hpp), and where the assumption
// was wrong the data is read again with the right one. So the assumption decides time, never the result.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/input_spec.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

enum class ColumnRole : std::uint8_t { feature, target, id, weight, offset, count, ignored };

inline constexpr std::uint32_t no_column = 0xFFFFFFFF;

// A table may have a million of them.
struct ColumnPlan {
  ColumnRole role = ColumnRole::feature;
  bool type_is_given = false;                             // by an option, or by the format (jsonl: sparse)
  data::ColumnType type = data::ColumnType::numeric;      // of a feature: assumed for this pass
  float above = -std::numeric_limits<float>::infinity();  // --log, --log1p (0, -1): values must be greater
  std::uint32_t slot = 0;  // number among the columns of its storage (see number_slots)
};

struct TableColumns {
  data::Alphabet names;             // in file order
  std::vector<ColumnPlan> columns;  // likewise

  std::string_view name(std::size_t column) const noexcept {
    return names.name(static_cast<FeatureId>(column));
  }
};

struct TablePlan : TableColumns {
  std::uint32_t target = no_column, id = no_column, weight = no_column, offset = no_column, count = no_column;
  bool target_is_guessed = false;  // neither an option nor its name chose the label column, only its place
  std::uint32_t num_categorical = 0, num_texts = 0, num_nested = 0;  // slots
  data::TextSpec text;
  data::MissingPolicy missing = data::MissingPolicy::impute;
  bool only_checks = false;  // this pass: rows are parsed, and nothing of them is kept (table_check.hpp)

  // Whether rows of numbers and categories alone are gathered in one place while they are read; see
  // gathered_rows.hpp.
  bool is_gathered() const noexcept { return num_texts + num_nested == 0; }
  // Whether n-grams are values like categories: a dictionary of their own for each column would take too much.
  bool has_many_texts() const noexcept { return num_texts > 1024; }
};

// Where a header stands, for errors about names.
struct HeaderPlace {
  std::string file;
  std::uint64_t line = 1;
};

// Gives roles to columns, which come with a name and maybe a type. InputError at `place` for an option that
// names no column (the columns are listed and the nearest one suggested) or for a column with two roles.
TablePlan make_table_plan(TableColumns columns, const ReadOptions& options, const HeaderPlace& place,
                          Log& log);
// Of features.
TableColumns columns_called(data::Alphabet names);

// Numbers the slots after types have been changed.
void number_slots(TablePlan& plan);

// The column called `name`, or no_column.
std::uint32_t find_column(const std::vector<std::string>& names, std::string_view name);

// Throws the InputError for a name that is not among `names`.
[[noreturn]] void fail_unknown_column(std::string_view name, std::string_view why,
                                      const std::vector<std::string>& names, const HeaderPlace& place);

}  // namespace lazylogit::io
