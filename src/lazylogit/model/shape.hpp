// The one owner of the layout of parameter vectors.
//
// Coefficients are feature-major: the vectors (classes) of a feature are contiguous, so one cache line serves
// all of them. A row is padded to `stride` (1 for one vector, else a power of two below 8, else a multiple of
// 8); padding is always 0. The intercept is one more row, after the last feature, present when has_intercept.
//
//   index(feature, vector) = feature * stride + vector
//
// With a reference class there are k − 1 vectors and the reference's score is 0; without (symmetric) there
// are k. Vectors follow the order of the classes with the reference left out. A number has one vector and
// "class", called like the target; labels have a vector each, and no reference.
#pragma once

#include <cstddef>
#include <optional>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/response.hpp"

namespace lazylogit::model {

struct Shape {
  std::size_t num_features = 0;
  std::size_t num_classes = 0;
  std::optional<ClassId> reference = {};  // nothing: symmetric
  bool has_intercept = true;
  data::Response response = data::Response::classes;

  std::size_t num_vectors() const noexcept { return num_classes - (reference ? 1 : 0); }
  std::size_t stride() const noexcept {
    const std::size_t v = num_vectors();
    return v <= 2 ? v : v <= 4 ? 4 : (v + 7) / 8 * 8;
  }
  std::size_t num_rows() const noexcept { return num_features + (has_intercept ? 1 : 0); }
  std::size_t size() const noexcept { return num_rows() * stride(); }
  std::size_t index(std::size_t feature, std::size_t vector) const noexcept {
    return feature * stride() + vector;
  }
  std::size_t intercept_index(std::size_t vector) const noexcept { return index(num_features, vector); }

  ClassId class_of(std::size_t vector) const noexcept {
    const auto c = static_cast<ClassId>(vector);
    return reference && c >= *reference ? c + 1 : c;
  }
  // The vector of a class, or nothing for the reference.
  std::optional<std::size_t> vector_of(ClassId c) const noexcept {
    if (!reference) return static_cast<std::size_t>(c);
    if (c == *reference) return std::nullopt;
    return static_cast<std::size_t>(c > *reference ? c - 1 : c);
  }
  bool operator==(const Shape&) const = default;
};

}  // namespace lazylogit::model
