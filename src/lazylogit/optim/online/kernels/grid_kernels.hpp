// The loops of grid_steps.hpp over the entries of a row, for all models at once: every lane does what gradient_steps.hpp does for
// one model, operation by operation, so that each model gets the same bits as alone.
//
//   record = [ b of each model | G of each model | 1/s | clock | … ], models padded to a multiple of 8
#pragma once

#include <cstddef>

namespace lazylogit::optim {

enum class GridPrior { gaussian, laplace };

struct GridRow {
  double* const* records;  // of the entries, the intercept last
  const double* x;
  std::size_t size;
  std::size_t penalized;  // the first so many entries have a prior
  std::size_t lanes;      // models, padded
  double first_squares;   // ε
};

struct GridKernels {
  // Makes up for the prior until `now` (`strengths`: precision or slope of each model), rescales records whose widest value grows,
  // writes u of each entry, adds to the scores, and returns Σ u².
  double (*look)(const GridRow& row, GridPrior prior, const double* strengths, double now, double* units,
                 double* scores);
  // G ← G + added u², and adds Σ u²/√(ε + G) to the moves; writes u/(s √(ε + G)) of each entry.
  void (*weigh)(const GridRow& row, const double* units, const double* added, double* moves, double* steps);
  // b ← b − by · step
  void (*move)(const GridRow& row, const double* by, const double* steps);
};
GridKernels grid_kernels();

}  // namespace lazylogit::optim
