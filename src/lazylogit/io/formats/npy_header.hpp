// The header of NumPy's .npy format, versions 1.0, 2.0 and 3.0.
//
//   "\x93NUMPY" major minor length(2 or 4 bytes, little-endian) {'descr': '<f8', 'fortran_order': False,
//   'shape': (3, 4), } padding "\n" data
//
// The dictionary is parsed by the grammar of exactly these three keys; nothing is evaluated. Element types
// that are not plain numbers are refused by name; text ('S', 'U') is parsed and left to the caller, because
// labels may be text. The product of the shape and the element size is checked against 64-bit overflow.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lazylogit/io/formats/array_place.hpp"

namespace lazylogit::io {

enum class NpyKind { boolean, signed_integer, unsigned_integer, floating, byte_text, unicode_text };

struct NpyHeader {
  NpyKind kind = NpyKind::floating;
  std::uint64_t item_bytes = 8;  // of one element; 0 is possible for text
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::uint64_t num_items = 0;    // product of the shape; 1 for a scalar
  std::uint64_t data_bytes = 0;   // num_items · item_bytes
  std::uint64_t data_offset = 0;  // where the elements begin

  bool is_text() const noexcept { return kind == NpyKind::byte_text || kind == NpyKind::unicode_text; }
};

// Every .npy file begins with these bytes.
inline constexpr std::string_view npy_magic = "\x93NUMPY";
// No header is longer than this: `bytes` needs to hold no more of the file.
inline constexpr std::uint64_t max_npy_header_bytes = (std::uint64_t{64} << 10) + 12;

// Reads the header at the start of `bytes` (the file or at least max_npy_header_bytes of it).
NpyHeader parse_npy_header(std::string_view bytes, const ArrayPlace& place);

// Rejects an array of `size` bytes, header included, that is shorter or longer than its shape says.
void check_npy_size(const NpyHeader& header, std::uint64_t size, const ArrayPlace& place);

}  // namespace lazylogit::io
