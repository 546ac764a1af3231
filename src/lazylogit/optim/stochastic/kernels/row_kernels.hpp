// The inner loops of lazy training in vector form, one set per instruction set, chosen when first used.
//
// One vector: a row's records are collected, caught up and multiplied (`catch_up`), and written back with the
// example's step (`write_back`); in a mini-batch the write-back has step 0 and `add` follows. The flows are those of prior/*.hpp to rounding; kernels/flow_lanes.inc has the arithmetic.
//
//   one vector:   table = [b, clock] pairs (record_table.hpp), or plain coefficients for priors without
//   clocks
//   several:      table = records of `width` doubles; the clock is the last one
#pragma once

#include <cstddef>
#include <variant>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/prior/cauchy.hpp"
#include "lazylogit/prior/elastic_net.hpp"
#include "lazylogit/prior/laplace.hpp"
#include "lazylogit/prior/uniform.hpp"

namespace lazylogit::optim {

// The entries of a row. `values` is const float*, const double* or unused, as the kernels were chosen for.
struct RowEntries {
  const FeatureId* ids;
  const void* values;
  std::size_t size;
};

// One vector without clocks.
struct PlainKernels {
  double (*dot)(const double* b, const RowEntries& row);
  void (*add)(double* b, const RowEntries& row, double step);
};

// One vector with clocks under prior P. catch_up returns the score and leaves the caught-up coefficients in
// `caught`, in an order of its own; write_back stores them plus step · x with the clock `now`. `caught` is aligned to 64 bytes
// and has room for 16 more.
template <class P>
struct ClockedKernels {
  double (*catch_up)(const P& prior, const double* records, const RowEntries& row, double now,
                     double* caught);
  void (*write_back)(double* records, const RowEntries& row, double now, double step, const double* caught);
  void (*add)(double* records, const RowEntries& row, double step);
};

// Where the scores of a row go: out[0, width) = start + scale Σ x b. `start` may be `out`; what is beyond the vectors is of
// no meaning.
struct WideScores {
  const double* start;
  double scale;
  double* out;
};

// Several vectors: records of `width` doubles (4, or a multiple of 8). catch_up: the scores of the caught-up
// coefficients; it leaves in times[0, size) what update needs. `refresh` does only that, for a row whose scores were not
// the last ones. update: records = caught-up coefficients + x · factor · step with the clock `now`; step[0, width) is 0
// beyond the vectors. The records of `next`, which may be empty, are asked for during catch_up. Between the two no
// other time may pass. `times` has the room of `caught`.
// P = Uniform: no clocks, no times.
template <class P>
struct WideKernels {
  void (*catch_up)(const P& prior, double* records, std::size_t width, const RowEntries& row,
                   const RowEntries& next, double now, const WideScores& scores, double* times);
  void (*refresh)(const P& prior, const double* records, std::size_t width, const RowEntries& row, double now,
                  double* times);
  void (*update)(const P& prior, double* records, std::size_t width, const RowEntries& row, double now,
                 const double* times, const double* step, double factor);
};

// Which kernels fit the values of a matrix.
enum class ValueType { ones, floats, doubles };
inline ValueType value_type(const data::SparseMatrix& x) noexcept {
  return static_cast<ValueType>(x.values.index());
}
inline const void* value_data(const data::SparseMatrix& x) noexcept {
  if (const auto* f = std::get_if<Buffer<float>>(&x.values)) return f->data();
  if (const auto* d = std::get_if<Buffer<double>>(&x.values)) return d->data();
  return nullptr;
}

PlainKernels plain_kernels(ValueType type);
template <class P>  // Laplace, ElasticNet with l2 > 0, Cauchy
ClockedKernels<P> clocked_kernels(ValueType type);
template <class P>  // those and Uniform
WideKernels<P> wide_kernels(ValueType type);

}  // namespace lazylogit::optim
