// What a row's scores s and its label make of each other, one type per data::Response: the whole of a loss.
//
// | type      | loss                          | residual r = ∂loss/∂s   | curvature ∂²loss/∂s²        |
// |-----------|-------------------------------|-------------------------|-----------------------------|
// | ClassRows | −log softmax(s)_label         | w (p_c − I(c = label))  | w (diag p − p pᵀ)           |
// | NumberRow | w (s − y)²/2                  | w (s − y)               | w                           |
// | LabelRows | Σ_c log(1 + e^{∓s_c})         | w (p_c − I(c ∈ labels)) | w diag p (1 − p)            |
//
// | ChoiceRows | −log softmax(s of the choice's rows)_taken | w (p_i − I(i taken)) | w (diag p − p pᵀ) over rows |
//
// All work on blocks of rows [begin, end), `stride` numbers per row, in place; losses come times the weight; rows of
// weight 0 get zeros. What is kept of a row for its curvature (`kept`) are its probabilities; of a number nothing is
// needed. row_blocks.hpp chooses among them once per block; another response is another type and a line in
// visit_row_losses.
#pragma once

#include <cstddef>
#include <utility>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

struct ClassRows {
  static constexpr bool couples_vectors = true;  // curvature between vectors
  static void residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                        double* losses) noexcept;
  static void kept(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept;
  static void kept_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                double* r) noexcept;
  // u → curvature times u.
  static void products(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                       double* u) noexcept;
  // The diagonal of the curvature.
  static void variances(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                        double* h) noexcept;
};

struct NumberRows {
  static constexpr bool couples_vectors = false;
  static void residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                        double* losses) noexcept;
  static void kept(const Problem&, std::size_t, std::size_t, double*) noexcept {}
  static void kept_of_residuals(const Problem&, std::size_t, std::size_t, double*) noexcept {}
  static void products(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                       double* u) noexcept;
  static void variances(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                        double* h) noexcept;
};

struct LabelRows {
  static constexpr bool couples_vectors = false;
  static void residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                        double* losses) noexcept;
  static void kept(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept;
  static void kept_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                double* r) noexcept;
  static void products(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                       double* u) noexcept;
  static void variances(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                        double* h) noexcept;
};

// Rows that are candidates of choices; blocks hold whole choices. The curvature couples rows, so `variances` is only what
// each row adds by itself; Likelihood sums the rest.
struct ChoiceRows {
  static constexpr bool couples_vectors = false;
  static void residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                        double* losses) noexcept;
  static void kept(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept;
  static void kept_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                double* r) noexcept;
  static void products(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                       double* u) noexcept;
  static void variances(const Problem& problem, std::size_t begin, std::size_t end, const double* kept,
                        double* h) noexcept;
};

// Calls body with the type of the problem's rows.
template <class Body>
decltype(auto) visit_row_losses(const Problem& problem, Body&& body) {
  if (!problem.choice_ends.empty()) return body(ChoiceRows{});
  switch (problem.shape.response) {
    case data::Response::number:
      return body(NumberRows{});
    case data::Response::labels:
      return body(LabelRows{});
    case data::Response::classes:
      break;
  }
  return body(ClassRows{});
}

}  // namespace lazylogit::objective
