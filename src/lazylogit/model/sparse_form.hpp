// Coefficients of which most are zero, as positions and values: when to store them so, and how far a file may
// expand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/model/shape.hpp"

namespace lazylogit::model {

struct SparseForm {
  std::vector<std::uint64_t> index;  // ascending positions in the unpadded array
  std::vector<double> values;        // none is zero
};

// Of an array of parameters in the layout of shape.hpp: how many of its features' are not 0.
inline std::uint64_t count_nonzero(std::span<const double> padded, const Shape& shape) {
  std::uint64_t count = 0;  // padding is 0
  for (const double value : padded.first(shape.num_features * shape.stride())) count += value != 0 ? 1 : 0;
  return count;
}

inline SparseForm make_sparse_form(std::span<const double> padded, const Shape& shape) {
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  SparseForm form;
  for (std::size_t row = 0; row < shape.num_features; ++row)
    for (std::size_t v = 0; v < vectors; ++v)
      if (const double value = padded[row * stride + v]; value != 0) {
        form.index.push_back(row * vectors + v);
        form.values.push_back(value);
      }
  return form;
}

// A small file cannot make a large model: what a sparse one may need in memory.
constexpr std::uint64_t max_expanded_bytes(std::uint64_t file_bytes) {
  return (std::uint64_t{4} << 20) + 1024 * file_bytes;
}

// Smaller than the dense form, and within what a reader accepts. `other_bytes`: a lower bound on the rest of
// the file.
inline bool sparse_form_is_better(std::uint64_t num_nonzero, std::uint64_t num_values, const Shape& shape,
                                  std::uint64_t other_bytes) {
  return 2 * num_nonzero < num_values &&
         8 * shape.size() <= max_expanded_bytes(16 * num_nonzero + other_bytes);
}

}  // namespace lazylogit::model
