// Rows seen through a kernel: what replaces the features of a row by its likeness to training rows, or by random waves.
//
//   linear      K(x, y) = x·y
//   polynomial  K(x, y) = (x·y + 1)^degree
//   gaussian    K(x, y) = exp(−|x − y|² / (2 width²))
//
// `rows`: feature m of a mapped row is K(x, x_m) for the kept training row x_m; a linear model of these is kernel
// logistic regression on the dual coefficients. With a factor L of the kept rows' kernel matrix, K = L Lᵀ, the mapped
// row is z = L⁻¹ k instead: then |γ|² is the squared norm αᵀKα of the function, with α = L⁻ᵀ γ, so that a Gaussian
// prior of γ is the usual prior of a kernel machine. `fourier` (gaussian only): feature m is √(2/M) cos(ω_m·x + b_m)
// with ω_m drawn from N(0, width⁻²) and b_m uniformly, by the seed: their products approximate K without any training
// row. Inputs are divided by `scale` and then reduced by `center` first, where these are given.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

enum class KernelFamily { linear, polynomial, gaussian };
inline constexpr std::array kernel_families{KernelFamily::linear, KernelFamily::polynomial,
                                            KernelFamily::gaussian};
enum class KernelForm { rows, fourier };

struct Kernel {
  KernelFamily family = KernelFamily::gaussian;
  int degree = 2;    // polynomial
  double width = 1;  // gaussian
  double operator()(double dot, double square_x, double square_y) const noexcept;
};

struct KernelMap {
  Kernel kernel;
  KernelForm form = KernelForm::rows;
  Alphabet inputs;  // names of the features that rows have before; empty when every hash slot is one
  std::size_t num_inputs = 0;               // how many there are
  std::vector<double> scale;                // empty: 1
  std::vector<double> center;               // the mean over the scale; empty: 0
  SparseMatrix kept;                        // rows: the training rows compared with, values float64, as read
  std::vector<std::uint64_t> kept_numbers;  // their numbers in the training data, from 0
  bool prior_of_function =
      false;                   // rows: the prior of the coefficients is the function's, in the coordinates γ
  std::vector<double> factor;  // L by columns, in memory only; empty: coordinates α
  std::uint64_t waves = 0;     // fourier: how many
  std::uint64_t seed = 1;      // fourier

  std::size_t num_features() const noexcept { return form == KernelForm::rows ? kept.num_rows() : waves; }
};

// Waves times inputs that a map may have: their frequencies lie in memory.
inline constexpr std::uint64_t max_frequencies = std::uint64_t{1} << 27;

const char* kernel_name(KernelFamily family) noexcept;

// What the mapped features are called: "row 17" by the number from 1, "wave 3", and "component 3" where there is a
// factor.
Alphabet kernel_feature_names(const KernelMap& map);

// Some rows of `x` in the order given, as a map keeps them.
SparseMatrix rows_to_keep(const SparseMatrix& x, std::span<const std::size_t> which);

// |x_a − x_b|², scaled as the map says.
double squared_distance(const SparseMatrix& x, std::size_t a, std::size_t b, const KernelMap& map);

// K(x_j, x_j) for every row.
std::vector<double> self_kernels(const SparseMatrix& x, const KernelMap& map);

// The work of mapping, prepared once. `map` must outlive it.
class KernelMapper {
 public:
  explicit KernelMapper(const KernelMap& map);
  // Mapped rows in float64 in the order given; rows that follow from the data alone. Throws ConfigError for rows with more
  // features than the map knows.
  SparseMatrix operator()(const SparseMatrix& x) const;
  // The same as a dense matrix by rows, num_features() wide, of rows [first, last).
  void dense(const SparseMatrix& x, std::size_t first, std::size_t last, double* out) const;

 private:
  // Kernels of a row, centred and scaled, with the kept ones; `to` is 0 before.
  void compare_dense(const std::vector<double>& entries, double* to) const;

  const KernelMap* map_;
  // Entry (input i, feature m) of what rows are multiplied by: dense by inputs, or by compressed rows of inputs.
  // Dense rows are centred, scaled and subtracted entry by entry, so that a large mean costs no digits; of sparse ones,
  // most entries of which are 0, products are taken apart.
  bool is_dense_ = false;
  std::vector<double> dense_;
  SparseMatrix sparse_;
  std::vector<double> squares_, shifts_;  // of kept rows: |x̂_m|², and center·x̂_m − |center|²; fourier: phases
};

}  // namespace lazylogit::data
