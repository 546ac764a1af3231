// The cells of a row that are no features: label, weight, count, offset, id.
//
// weight: finite and at least 0; count: a whole number, not negative; offset: finite. None of them may be
// missing, nor may a label that is required. Weight and count are multiplied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lazylogit/io/columns/table_plan.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

class RowRoles {
 public:
  // Which roles the table has decides which of the row's optional entries are written.
  struct Present {
    bool weight = false, offset = false, id = false;
  };
  RowRoles(const ReadOptions& options, Present present) : options_(&options), present_(present) {}

  void begin_row();
  // Takes the cell of a column with a role. `missing`: it holds nothing. On a bad cell: the error without its
  // place.
  std::optional<ErrorDetail> take(ColumnRole role, std::string_view column, std::string_view text,
                                  bool missing, RowBlock& rows);
  std::uint32_t label() const noexcept { return label_; }
  // A label that another row of the block had.
  void set_label(std::uint32_t label) noexcept { label_ = label; }
  // After the row has been completed in `rows`.
  void write(RowBlock& rows) const;

 private:
  std::optional<ErrorDetail> take_label(std::string_view column, std::string_view text, bool missing,
                                        RowBlock& rows);

  const ReadOptions* options_;
  Present present_;
  std::uint32_t label_ = no_label;
  double weight_ = 1, offset_ = 0;
  std::string id_;
};

RowRoles::Present roles_of(const TablePlan& plan);

// Errors about cells, without their place.
ErrorDetail cell_error(std::string_view column, std::string_view found, std::string expected,
                       std::string code);
// A number of a column whose logarithm is a feature, and which has none: it must be above `floor`, 0 or -1.
ErrorDetail no_logarithm(std::string_view column, std::string_view found, double floor);
// A field that is no text document and longer than --max-field-bytes.
ErrorDetail field_too_long(std::string_view column, const ReadOptions& options);
// An exceeded limit; `option` without the dashes.
ErrorDetail limit_error(std::string message, std::string_view option);
// Adds file, line and column of `place` to `detail`.
ErrorDetail placed(ErrorDetail detail, const ErrorDetail& place);

}  // namespace lazylogit::io
