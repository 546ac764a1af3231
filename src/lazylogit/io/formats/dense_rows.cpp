#include "lazylogit/io/formats/dense_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/io/formats/npy_element.hpp"
#include "lazylogit/io/whole_input.hpp"

namespace lazylogit::io {

DenseRows::DenseRows(std::unique_ptr<ByteSource> source, ArrayPlace place, std::shared_ptr<void> keep_alive)
    : keep_alive_(std::move(keep_alive)), source_(std::move(source)), place_(std::move(place)) {
  read_header();
  if (header_.is_text()) reject_array(place_, 0, "the matrix holds text; expected numbers");
  if (header_.shape.size() != 2)
    reject_array(place_, 0,
                 fmt::format("expected a matrix with rows and columns (two dimensions), found {}",
                             counted(header_.shape.size(), "dimension")),
                 "reshape the array to (rows, columns)");
  if (header_.shape[1] == 0 && header_.shape[0] > 0) reject_array(place_, 0, "the matrix has no columns");
  if (header_.shape[1] >= UINT32_MAX)
    reject_array(place_, 0, fmt::format("{} columns are more than 2^32 - 2", header_.shape[1]));
  if (header_.fortran_order && header_.data_bytes > 0) need(header_.data_bytes, 0);
}

// The header tells its length only after some of it has been read, so it comes in three steps.
void DenseRows::read_header() {
  std::string bytes(12, '\0');
  bytes.resize(read_fully(*source_, bytes.data(), 12));
  std::uint64_t size = bytes.size();
  if (bytes.size() == 12 && bytes.starts_with(npy_magic)) {
    const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(bytes[i])}; };
    size = bytes[6] == 1 ? 10 + (byte(8) | byte(9) << 8)
                         : 12 + (byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24);
  }
  if (size > bytes.size() && size <= max_npy_header_bytes) {
    const std::size_t have = bytes.size();
    bytes.resize(size);
    bytes.resize(have + read_fully(*source_, bytes.data() + have, size - have));
  }
  header_ = parse_npy_header(bytes, place_);
}

void DenseRows::need(std::uint64_t size, std::uint64_t offset) {
  const std::uint64_t present = read_growing(*source_, size, bytes_);
  if (present < size)
    reject_array(place_, header_.data_offset + offset + present,
                 fmt::format("the data is cut off: the shape ({}, {}) needs {} bytes, there are {}",
                             num_rows(), num_columns(), header_.data_bytes, offset + present));
}

std::uint64_t DenseRows::offset_of(std::uint64_t row, std::uint64_t column) const noexcept {
  const std::uint64_t item = header_.fortran_order ? column * num_rows() + row : row * num_columns() + column;
  return header_.data_offset + item * header_.item_bytes;
}

std::optional<ErrorDetail> DenseRows::next(ArrayRow& row) {
  row.clear();
  const std::uint64_t row_bytes = num_columns() * header_.item_bytes;
  if (!header_.fortran_order) need(row_bytes, row_ * row_bytes);
  numbers_.resize(num_columns());
  const char* const first = bytes_.data() + (header_.fortran_order ? row_ * header_.item_bytes : 0);
  const std::uint64_t stride = header_.fortran_order ? num_rows() * header_.item_bytes : header_.item_bytes;
  decode_npy_numbers(header_, first, stride, numbers_.size(), numbers_.data());
  const std::uint64_t this_row = row_++;
  for (std::size_t column = 0; column < numbers_.size(); ++column) {
    const double value = numbers_[column];
    if (value == 0) continue;
    if (!std::isfinite(value))
      return describe_array_error(
          place_, offset_of(this_row, column),
          fmt::format("the value in row {}, column {} is {}; expected a finite number", this_row + 1,
                      column + 1, value));
    row.columns.push_back(static_cast<std::uint32_t>(column));
    row.values.push_back(value);
  }
  return std::nullopt;
}

void DenseRows::finish() {
  char extra = 0;
  if (read_fully(*source_, &extra, 1) != 0)
    reject_array(place_, header_.data_offset + header_.data_bytes,
                 "there are bytes after the end of the array");
}

}  // namespace lazylogit::io
