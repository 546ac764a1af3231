// Centred columns that are never written: x − m in place of x moves the intercept alone.
//
//   b_0 + Σ_i b_i (x_i − m_i) = (b_0 − m·b) + Σ_i b_i x_i
//
// So with T the map (b, b_0) → (b, b_0 − m·b), the likelihood of centred rows at b is that of the rows as they are at
// T b, its gradient Tᵀ g, its Hessian Tᵀ H T; "centred" coefficients are b, "original" ones T b. Cost of each: one walk
// over the coefficients. Every array is laid out by `shape`, which has an intercept; `centers` has one entry per feature.
#pragma once

#include <span>

#include "lazylogit/model/shape.hpp"

namespace lazylogit::objective {

void to_original(const model::Shape& shape, std::span<const double> centers, double* b);  // b → T b
void to_centered(const model::Shape& shape, std::span<const double> centers, double* b);  // b → T⁻¹ b
void center_gradient(const model::Shape& shape, std::span<const double> centers, double* g);  // g → Tᵀ g
// H → Tᵀ H T; the whole matrix, row by row.
void center_matrix(const model::Shape& shape, std::span<const double> centers, double* h);
// Diagonal of Tᵀ H T from that of H and the entries of H between each coefficient and the intercept of its vector
// (`cross`, whose last row is the intercept's own).
void center_diagonal(const model::Shape& shape, std::span<const double> centers, const double* cross,
                     double* diagonal);

}  // namespace lazylogit::objective
