#include "lazylogit/objective/centering.hpp"

#include <cstddef>

namespace lazylogit::objective {
namespace {

// Calls body(m_i, place of feature i, place of the intercept) for every vector.
template <class Body>
void for_each_center(const model::Shape& shape, std::span<const double> centers, const Body& body) {
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors(),
                    last = shape.num_features * stride;
  for (std::size_t i = 0; i < shape.num_features; ++i) {
    if (centers[i] == 0) continue;
    for (std::size_t v = 0; v < vectors; ++v) body(centers[i], i * stride + v, last + v);
  }
}

}  // namespace

void to_original(const model::Shape& shape, std::span<const double> centers, double* b) {
  for_each_center(shape, centers,
                  [&](double m, std::size_t at, std::size_t intercept) { b[intercept] -= m * b[at]; });
}

void to_centered(const model::Shape& shape, std::span<const double> centers, double* b) {
  for_each_center(shape, centers,
                  [&](double m, std::size_t at, std::size_t intercept) { b[intercept] += m * b[at]; });
}

void center_gradient(const model::Shape& shape, std::span<const double> centers, double* g) {
  for_each_center(shape, centers,
                  [&](double m, std::size_t at, std::size_t intercept) { g[at] -= m * g[intercept]; });
}

void center_matrix(const model::Shape& shape, std::span<const double> centers, double* h) {
  const std::size_t size = shape.size();
  for (std::size_t row = 0; row < size; ++row) center_gradient(shape, centers, h + row * size);  // H T
  for_each_center(shape, centers, [&](double m, std::size_t at, std::size_t intercept) {
    for (std::size_t k = 0; k < size; ++k) h[at * size + k] -= m * h[intercept * size + k];
  });
}

void center_diagonal(const model::Shape& shape, std::span<const double> centers, const double* cross,
                     double* diagonal) {
  for_each_center(shape, centers, [&](double m, std::size_t at, std::size_t intercept) {
    diagonal[at] += m * (m * cross[intercept] - 2 * cross[at]);
    if (diagonal[at] < 0) diagonal[at] = 0;  // rounding
  });
}

}  // namespace lazylogit::objective
