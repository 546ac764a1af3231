// Cells of a column in memory, of any type, stride and alignment, as numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lazylogit::data {

enum class CellType : std::uint8_t { bit, boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };

// Cells of any alignment: cell r is `stride` bytes after cell r − 1; of bits, cell r is bit `first_bit` + r.
struct DenseColumn {
  const std::byte* cells = nullptr;
  std::int64_t stride = 0;
  std::int64_t first_bit = 0;
  CellType type = CellType::f64;
};

// A float of 16 bits.
inline double from_half(std::uint16_t bits) noexcept {
  const int exponent = (bits >> 10) & 31;
  const double fraction = bits & 1023;
  double value = 0;
  if (exponent == 31)
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  else
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class Cell>
struct Plain {
  const std::byte* cells;
  std::int64_t stride;
  double operator()(std::size_t r) const noexcept {
    Cell cell;
    std::memcpy(&cell, cells + static_cast<std::int64_t>(r) * stride, sizeof cell);
    return static_cast<double>(cell);
  }
};

struct Half {
  Plain<std::uint16_t> bits;
  double operator()(std::size_t r) const noexcept { return from_half(static_cast<std::uint16_t>(bits(r))); }
};

struct Bits {
  const std::byte* cells;
  std::int64_t first;
  double operator()(std::size_t r) const noexcept {
    const std::int64_t at = first + static_cast<std::int64_t>(r);
    return static_cast<double>((static_cast<unsigned>(cells[at / 8]) >> (at % 8)) & 1U);
  }
};

// Calls body(cell) with a function from rows to numbers.
template <class Body>
void visit_cells(const DenseColumn& column, const Body& body) {
  const auto plain = [&]<class Cell>(Cell) { body(Plain<Cell>{column.cells, column.stride}); };
  switch (column.type) {
    case CellType::bit:
      return body(Bits{column.cells, column.first_bit});
    case CellType::boolean:
    case CellType::u8:
      return plain(std::uint8_t{});
    case CellType::i8:
      return plain(std::int8_t{});
    case CellType::i16:
      return plain(std::int16_t{});
    case CellType::u16:
      return plain(std::uint16_t{});
    case CellType::i32:
      return plain(std::int32_t{});
    case CellType::u32:
      return plain(std::uint32_t{});
    case CellType::i64:
      return plain(std::int64_t{});
    case CellType::u64:
      return plain(std::uint64_t{});
    case CellType::f16:
      return body(Half{{column.cells, column.stride}});
    case CellType::f32:
      return plain(float{});
    case CellType::f64:
      return plain(double{});
  }
}

}  // namespace lazylogit::data
