#include "lazylogit/objective/row_blocks.hpp"

#include "lazylogit/objective/row_losses.hpp"

namespace lazylogit::objective {

void residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
               double* losses) noexcept {
  visit_row_losses(problem, [&](auto rows) { rows.residuals(problem, begin, end, s, losses); });
}

void probabilities(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept {
  visit_row_losses(problem, [&](auto rows) { rows.kept(problem, begin, end, s); });
}

void probabilities_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                double* r) noexcept {
  visit_row_losses(problem, [&](auto rows) { rows.kept_of_residuals(problem, begin, end, r); });
}

void curvature_products(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
                        double* u) noexcept {
  visit_row_losses(problem, [&](auto rows) { rows.products(problem, begin, end, p, u); });
}

void variances(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
               double* h) noexcept {
  visit_row_losses(problem, [&](auto rows) { rows.variances(problem, begin, end, p, h); });
}

bool couples_vectors(const Problem& problem) noexcept {
  return problem.shape.num_vectors() > 1 &&
         visit_row_losses(problem, [](auto rows) { return rows.couples_vectors; });
}

}  // namespace lazylogit::objective
