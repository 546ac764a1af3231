// Single elements of an .npy array as numbers, exact integers or text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lazylogit/io/formats/npy_header.hpp"

namespace lazylogit::io {

// IEEE 754 half precision, all of its values.
double half_to_double(std::uint16_t bits) noexcept;

// Decodes `count` elements that stand `stride` bytes apart, beginning at `bytes`. The kind must not be text.
// Integers beyond 2^53 are rounded to the nearest double; booleans are 0 or 1 (any other byte counts as 1).
void decode_npy_numbers(const NpyHeader& header, const char* bytes, std::uint64_t stride, std::size_t count,
                        double* out) noexcept;

// The element at `bytes` as an exact integer. Nothing for kinds that are not integers, negative numbers, and
// numbers of 2^63 and more: what indices and pointers may not be.
std::optional<std::uint64_t> npy_index(const NpyHeader& header, const char* bytes) noexcept;

// The element at `bytes` as a label token: integers with all digits, floating-point numbers in their shortest
// form, text without NumPy's trailing NULs. Nothing when text is not valid Unicode.
std::optional<std::string> npy_label(const NpyHeader& header, const char* bytes);

}  // namespace lazylogit::io
