// ScoreLine: which rows a step carries too far, and what holding them adds to the curvature of their scores.
#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/row_loss.hpp"
#include "lazylogit/objective/score_line.hpp"

namespace lazylogit::objective {

std::size_t ScoreLine::hold(double damping, double promised, RowHolds& holds) const {
  constexpr std::size_t block_rows = 2048;
  if (problem_.shape.response != data::Response::classes || !problem_.choice_ends.empty()) return 0;
  const bool reference = problem_.shape.reference.has_value();
  const double worth = 1e-6 * promised;
  struct Found {
    std::vector<std::size_t> rows;
    std::vector<double> kappas, curvatures;
  };
  std::vector<Found> found(num_blocks_of(num_rows_, block_rows));
  parallel_blocks(found.size(), [&](std::size_t block) {
    math::Vector here(vectors_), there(vectors_), q(vectors_);
    for (std::size_t j = block * block_rows, end = std::min(num_rows_, j + block_rows); j < end; ++j) {
      const double w = problem_.weight(j);
      if (w == 0) continue;
      for (std::size_t v = 0; v < vectors_; ++v) {
        here[v] = at(scores_, v)[j];
        there[v] = here[v] + at(direction_, v)[j];
      }
      const std::size_t label = label_vectors_[j] < vectors_ ? label_vectors_[j] : no_vector;
      const double before = softmax_loss(here.data(), vectors_, label, reference, nullptr);
      const double after = softmax_loss(there.data(), vectors_, label, reference, nullptr);
      const double* held = holds.of(j);
      double foretold = before, mean = 0, square = 0;
      for (std::size_t v = 0; v < vectors_; ++v) {
        const double d = at(direction_, v)[j], half = 0.5 * (here[v] + there[v]);
        foretold += (here[v] - (label == v ? 1 : 0)) * d +
                    0.5 * (here[v] + damping + (held != nullptr ? held[v] : 0.0)) * d * d;
        mean += here[v] * d;
        q[v] = half * (1 - half);
        square += q[v] * d * d;
      }
      const double excess = after - (foretold - 0.5 * mean * mean), kappa = 2 * excess / square;
      if (!(w * excess > worth) || !(kappa > 0 && std::isfinite(kappa))) continue;
      found[block].rows.push_back(j);
      found[block].kappas.push_back(kappa);
      for (std::size_t v = 0; v < vectors_; ++v) found[block].curvatures.push_back(kappa * q[v]);
    }
  });
  std::size_t count = 0;
  for (const Found& one : found) {
    for (std::size_t k = 0; k < one.rows.size(); ++k)
      holds.add(one.rows[k], num_rows_, one.kappas[k], {one.curvatures.data() + k * vectors_, vectors_});
    count += one.rows.size();
  }
  return count;
}

}  // namespace lazylogit::objective
