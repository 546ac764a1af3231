// Pieces of .npy files for writers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/io/writers/table.hpp"

namespace lazylogit::io {

// The header (version 1.0, padded so that the data begins at a multiple of 64) of an array in C order.
// `type` is NumPy's, such as "<f8"; `shape` its tuple, such as "(3, 4)".
std::string npy_header(std::string_view type, std::string_view shape);

// A whole .npy file with the labels of a table: <i8 where all are whole numbers that fit, else text.
std::string npy_labels(const Table& table);
// A whole .npy file with a column of texts.
std::string npy_texts(const std::vector<std::string_view>& texts);
// The bytes of numbers as they stand in memory (this program runs on little-endian machines).
template <class T>
std::string_view raw_bytes(const T* numbers, std::size_t count) noexcept {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(T)};
}

}  // namespace lazylogit::io
