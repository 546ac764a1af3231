#include "cell_type.hpp"

#include <cstdint>
#include <stdexcept>

namespace nb = nanobind;

namespace lazylogit::python {
namespace {

data::CellType cell_type(const nb::dlpack::dtype& type) {
  using enum data::CellType;
  constexpr struct {
    nb::dlpack::dtype_code code;
    std::uint8_t bits;
    data::CellType type;
  } types[] = {
      {nb::dlpack::dtype_code::Bool, 8, boolean}, {nb::dlpack::dtype_code::Int, 8, i8},
      {nb::dlpack::dtype_code::UInt, 8, u8},      {nb::dlpack::dtype_code::Int, 16, i16},
      {nb::dlpack::dtype_code::UInt, 16, u16},    {nb::dlpack::dtype_code::Int, 32, i32},
      {nb::dlpack::dtype_code::UInt, 32, u32},    {nb::dlpack::dtype_code::Int, 64, i64},
      {nb::dlpack::dtype_code::UInt, 64, u64},    {nb::dlpack::dtype_code::Float, 16, f16},
      {nb::dlpack::dtype_code::Float, 32, f32},   {nb::dlpack::dtype_code::Float, 64, f64},
  };
  for (const auto& row : types)
    if (type.code == static_cast<std::uint8_t>(row.code) && type.bits == row.bits && type.lanes == 1)
      return row.type;
  throw std::invalid_argument("a column is neither of integers nor of floats up to 64 bits nor of booleans");
}

}  // namespace

data::DenseColumn column_of(const CellArray& array) {
  const auto size = static_cast<std::int64_t>(array.itemsize());
  return {static_cast<const std::byte*>(array.data()), array.stride(0) * size, 0, cell_type(array.dtype())};
}

}  // namespace lazylogit::python
