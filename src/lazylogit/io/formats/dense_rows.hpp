// Rows of a dense .npy matrix of any numeric type, both byte orders, C and Fortran order.
//
// C order is streamed, one row at a time; Fortran order needs the whole array in memory. Memory grows with
// the bytes that are there, not with the shape that the header claims.
#pragma once

#include "lazylogit/io/byte_source.hpp"
#include "lazylogit/io/formats/array_rows.hpp"

namespace lazylogit::io {

class DenseRows final : public ArrayRows {
 public:
  // `source` stands at the first byte of the array. Keeps `keep_alive` as long as it reads.
  DenseRows(std::unique_ptr<ByteSource> source, ArrayPlace place, std::shared_ptr<void> keep_alive = nullptr);

  std::uint64_t num_rows() const noexcept override { return header_.shape[0]; }
  std::uint64_t num_columns() const noexcept override { return header_.shape[1]; }
  std::optional<ErrorDetail> next(ArrayRow& row) override;
  void finish() override;
  std::uint64_t bytes() const noexcept override { return header_.data_offset + header_.data_bytes; }

 private:
  void read_header();
  void need(std::uint64_t size, std::uint64_t offset);
  std::uint64_t offset_of(std::uint64_t row, std::uint64_t column) const noexcept;

  std::shared_ptr<void> keep_alive_;
  std::unique_ptr<ByteSource> source_;
  ArrayPlace place_;
  NpyHeader header_;
  Buffer<char> bytes_;  // one row, or all of them in Fortran order
  std::vector<double> numbers_;
  std::uint64_t row_ = 0;
};

}  // namespace lazylogit::io
