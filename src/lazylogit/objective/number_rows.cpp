// NumberRows: the squared loss of one score.
#include "lazylogit/objective/row_losses.hpp"

namespace lazylogit::objective {

void NumberRows::residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                           double* losses) noexcept {
  for (std::size_t k = 0; k < end - begin; ++k) {
    const double w = problem.weight(begin + k);
    if (w == 0) {
      losses[k] = s[k] = 0;
      continue;
    }
    const double error = s[k] - problem.targets[begin + k];
    losses[k] = 0.5 * w * error * error;
    s[k] = w * error;
  }
}

void NumberRows::products(const Problem& problem, std::size_t begin, std::size_t end, const double*,
                          double* u) noexcept {
  if (problem.weights.empty()) return;
  for (std::size_t k = 0; k < end - begin; ++k) u[k] *= problem.weights[begin + k];
}

void NumberRows::variances(const Problem& problem, std::size_t begin, std::size_t end, const double*,
                           double* h) noexcept {
  for (std::size_t k = 0; k < end - begin; ++k) h[k] = problem.weight(begin + k);
}

}  // namespace lazylogit::objective
