// Rows of a numeric array, dense or sparse, one after another: what .npy and .npz readers hand to the common
// drive train (array_format.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/formats/label_column.hpp"

namespace lazylogit::io {

struct ArrayRow {
  std::vector<std::uint32_t> columns;  // from 0; any order, repeated ones are summed
  std::vector<double> values;          // zeros may be among them
  void clear() noexcept {
    columns.clear();
    values.clear();
  }
};

class ArrayRows {
 public:
  virtual ~ArrayRows() = default;
  virtual std::uint64_t num_rows() const noexcept = 0;
  virtual std::uint64_t num_columns() const noexcept = 0;  // below 2^32
  // The next row. Values are finite, or there is an error for this row alone (which can be skipped). Throws
  // InputError when the file is at fault as a whole.
  virtual std::optional<ErrorDetail> next(ArrayRow& row) = 0;
  // After the last row: throws InputError when bytes are left over.
  virtual void finish() = 0;
  virtual std::uint64_t bytes() const noexcept = 0;  // of the arrays, for the summary
};

// An opened input: rows, and the columns that came with them (members of an archive).
struct ArrayInput {
  std::unique_ptr<ArrayRows> rows;
  std::optional<LabelColumn> labels;
  Buffer<double> weights, offsets;  // empty, or one per row
  std::vector<std::string> ids;     // likewise
};

}  // namespace lazylogit::io
