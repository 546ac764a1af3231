// The scores of one row of a problem: features, intercept, offset. One place for all passes.
#pragma once

#include <algorithm>

#include "lazylogit/objective/problem.hpp"
#include "lazylogit/objective/row_kernels.hpp"
#include "lazylogit/objective/row_loss.hpp"

namespace lazylogit::objective {

// The position of a label's vector, or no_vector for the reference class.
inline std::size_t label_vector(const model::Shape& shape, ClassId label) noexcept {
  const auto vector = shape.vector_of(label);
  return vector ? *vector : no_vector;
}

// What an offset is multiplied by in the score of the one vector: −1 where that is the first class's.
inline double offset_sign(const model::Shape& shape) noexcept {
  return shape.response == data::Response::classes && shape.class_of(0) != 1 ? -1.0 : 1.0;
}

// One vector. `with_offset` is false for directions, whose scores have none.
template <class Value>
double row_score(const Problem& problem, const data::RowView<Value>& row, std::size_t j, const double* b,
                 bool with_offset = true) noexcept {
  double s = dot_row(row, b);
  if (problem.shape.has_intercept) s += b[problem.shape.num_features];
  if (with_offset && !problem.offsets.empty()) s += offset_sign(problem.shape) * problem.offsets[j];
  return s;
}

// Several vectors: writes `stride` scores (padding 0).
template <class Value>
void row_scores(const Problem& problem, const data::RowView<Value>& row, std::size_t j, const double* b,
                double* s, bool with_offset = true) noexcept {
  const std::size_t stride = problem.shape.stride();
  const double* start = b + problem.shape.num_features * stride;
  if (!problem.shape.has_intercept) start = std::fill_n(s, stride, 0.0) - stride;
  scores(row, b, stride, start, s);
  if (with_offset && !problem.offsets.empty()) s[1] += problem.offsets[j];  // two classes, symmetric
}

}  // namespace lazylogit::objective
