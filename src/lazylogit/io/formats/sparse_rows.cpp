#include "lazylogit/io/formats/sparse_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "lazylogit/io/formats/npy_element.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint64_t max_rows = std::uint64_t{1} << 32;  // without entries nothing else bounds them

// A checked member of one dimension.
struct Column {
  NpyHeader header;
  const ArrayMember* member;

  explicit Column(const ArrayMember& source)
      : header(parse_npy_header(source.bytes, source.place)), member(&source) {
    if (header.shape.size() != 1)
      reject_array(source.place, 0, fmt::format("expected one dimension, found {}", header.shape.size()));
    if (header.is_text()) reject_array(source.place, 0, "expected numbers, found text");
    check_npy_size(header, source.bytes.size(), source.place);
  }
  std::uint64_t size() const noexcept { return header.num_items; }
  std::uint64_t offset(std::uint64_t i) const noexcept { return header.data_offset + i * header.item_bytes; }
  const char* at(std::uint64_t i) const noexcept { return member->bytes.data() + offset(i); }
  [[noreturn]] void reject(std::uint64_t i, const std::string& message) const {
    reject_array(member->place, offset(i), message);
  }
  // Element i, which must be an integer below `limit`.
  std::uint64_t index(std::uint64_t i, std::uint64_t limit) const {
    const auto value = npy_index(header, at(i));
    if (!value || *value >= limit) reject(i, fmt::format("element {} is not an index below {}", i, limit));
    return *value;
  }
  double number(std::uint64_t i) const noexcept {
    double value = 0;
    decode_npy_numbers(header, at(i), header.item_bytes, 1, &value);
    return value;
  }
};

void need_integers(const Column& column) {
  if (column.header.kind != NpyKind::signed_integer && column.header.kind != NpyKind::unsigned_integer)
    reject_array(column.member->place, 0, "expected integers");
}

void need_same_length(const Column& column, const Column& data) {
  need_integers(column);
  if (column.size() != data.size())
    reject_array(column.member->place, 0,
                 fmt::format("there are {} indices for {} values", column.size(), data.size()));
}

// Row pointers 0 = p[0] <= p[1] <= … <= p[n] = number of entries.
void check_pointers(const Column& pointers, std::uint64_t count, std::uint64_t num_entries) {
  need_integers(pointers);
  if (pointers.size() != count + 1)
    reject_array(pointers.member->place, 0,
                 fmt::format("there are {} pointers; the shape needs {}", pointers.size(), count + 1));
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i <= count; ++i) {
    const std::uint64_t pointer = pointers.index(i, num_entries + 1);
    if (i == 0 && pointer != 0) pointers.reject(0, "the first pointer is not 0");
    if (pointer < last) pointers.reject(i, fmt::format("pointer {} is smaller than the one before", i));
    last = pointer;
  }
  if (last != num_entries)
    pointers.reject(count,
                    fmt::format("the last pointer is {}, but there are {} entries", last, num_entries));
}

class SparseRows final : public ArrayRows {
 public:
  SparseRows(SparseLayout layout, SparseMembers members)
      : members_(std::move(members)), data_(members_.data) {
    read_shape();
    switch (layout) {
      case SparseLayout::csr:
        take_csr();
        break;
      case SparseLayout::csc:
        order_csc();
        break;
      case SparseLayout::coo:
        order_coo();
        break;
    }
  }

  std::uint64_t num_rows() const noexcept override { return num_rows_; }
  std::uint64_t num_columns() const noexcept override { return num_columns_; }
  std::uint64_t bytes() const noexcept override {
    return members_.data.bytes.size() + members_.indices.bytes.size() + members_.indptr.bytes.size();
  }
  void finish() override {}

  std::optional<ErrorDetail> next(ArrayRow& row) override {
    row.clear();
    const std::uint64_t from = starts_[row_], to = starts_[row_ + 1], this_row = row_++;
    for (std::uint64_t k = from; k < to; ++k) {
      const std::uint64_t entry = order_.empty() ? k : order_[k];
      const double value = data_.number(entry);
      if (!std::isfinite(value))
        return describe_array_error(
            data_.member->place, data_.offset(entry),
            fmt::format("the value in row {}, column {} is {}; expected a finite number", this_row + 1,
                        columns_[k] + 1, value));
      row.columns.push_back(columns_[k]);
      row.values.push_back(value);
    }
    return std::nullopt;
  }

 private:
  void read_shape() {
    const Column shape(members_.shape);
    need_integers(shape);
    if (shape.size() != 2)
      reject_array(members_.shape.place, 0, fmt::format("expected two numbers, found {}", shape.size()));
    num_rows_ = shape.index(0, max_rows);
    num_columns_ = shape.index(1, UINT32_MAX);
  }

  void take_csr() {
    const Column indices(members_.indices), pointers(members_.indptr);
    need_same_length(indices, data_);
    check_pointers(pointers, num_rows_, data_.size());
    columns_.resize(data_.size());
    for (std::uint64_t k = 0; k < data_.size(); ++k)
      columns_[k] = static_cast<std::uint32_t>(indices.index(k, num_columns_));
    starts_.resize(num_rows_ + 1);
    for (std::uint64_t i = 0; i <= num_rows_; ++i) starts_[i] = pointers.index(i, data_.size() + 1);
  }

  void order_csc() {
    const Column indices(members_.indices), pointers(members_.indptr);
    need_same_length(indices, data_);
    check_pointers(pointers, num_columns_, data_.size());
    count_rows(indices);
    for (std::uint64_t column = 0; column < num_columns_; ++column) {
      const std::uint64_t to = pointers.index(column + 1, data_.size() + 1);
      for (std::uint64_t k = pointers.index(column, data_.size() + 1); k < to; ++k)
        place_entry(k, indices.index(k, num_rows_), column);
    }
    restore_starts();
  }

  void order_coo() {
    const Column row(members_.row), col(members_.col);
    need_same_length(row, data_);
    need_same_length(col, data_);
    count_rows(row);
    for (std::uint64_t k = 0; k < data_.size(); ++k)
      place_entry(k, row.index(k, num_rows_), col.index(k, num_columns_));
    restore_starts();
  }

  // Counting sort by row: starts_[i] is where the next entry of row i goes.
  void count_rows(const Column& rows) {
    for (std::uint64_t k = 0; k < data_.size(); ++k) rows.index(k, num_rows_);
    // Without row pointers the shape alone says how many rows there are; it must not run away with memory.
    constexpr std::uint64_t always_allowed = std::uint64_t{1} << 20;
    if (num_rows_ > always_allowed && num_rows_ / 1000 > data_.size())
      reject_array(
          members_.shape.place, 0,
          fmt::format("{} rows for {} entries: the shape does not fit the data", num_rows_, data_.size()));
    starts_ = Buffer<std::uint64_t>(num_rows_ + 1, 0);
    for (std::uint64_t k = 0; k < data_.size(); ++k) ++starts_[rows.index(k, num_rows_) + 1];
    for (std::uint64_t i = 0; i < num_rows_; ++i) starts_[i + 1] += starts_[i];
    order_.resize(data_.size());
    columns_.resize(data_.size());
  }
  void place_entry(std::uint64_t entry, std::uint64_t row, std::uint64_t column) {
    const std::uint64_t to = starts_[row]++;
    order_[to] = entry;
    columns_[to] = static_cast<std::uint32_t>(column);
  }
  void restore_starts() {
    for (std::uint64_t i = num_rows_; i > 0; --i) starts_[i] = starts_[i - 1];
    starts_[0] = 0;
  }

  SparseMembers members_;
  Column data_;
  std::uint64_t num_rows_ = 0, num_columns_ = 0;
  Buffer<std::uint64_t> starts_;   // num_rows + 1
  Buffer<std::uint32_t> columns_;  // in row order
  Buffer<std::uint64_t> order_;    // position in data, in row order; empty for csr
  std::uint64_t row_ = 0;
};

}  // namespace

std::unique_ptr<ArrayRows> make_sparse_rows(SparseLayout layout, SparseMembers members) {
  return std::make_unique<SparseRows>(layout, std::move(members));
}

}  // namespace lazylogit::io
