// Which training rows a kernel machine keeps, and the coordinates of all rows by them.
//
// A pivoted Cholesky factorization of the kernel matrix, K ≈ G Gᵀ, in blocks: rows are drawn with a probability
// proportional to what K still has on its diagonal, so that neither dense regions nor outliers take all places. It ends
// after `most` rows, or where nothing above 1e-10 of the largest diagonal entry is left: then K = G Gᵀ to rounding, and
// the kept rows span all others. With fewer rows G Gᵀ is the Nyström approximation by the kept rows. Costs n·r kernel
// values and n·r² operations; the order of the sums does not depend on threads.
#pragma once

#include <cstdint>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/cancel.hpp"
#include "lazylogit/data/kernel_map.hpp"

namespace lazylogit::train {

struct KeptRows {
  std::vector<std::size_t> rows;  // in the order of the factorization
  Buffer<double> coordinates;     // G by rows
  std::vector<double> factor;     // its rows for the kept ones: L, lower triangular, by columns
};

// `map` says kernel, scale, center and inputs. Throws ConfigError where the kernel overflows.
KeptRows choose_kept_rows(const data::SparseMatrix& x, const data::KernelMap& map, std::size_t most,
                          std::uint64_t seed, const CancelToken& cancel);

}  // namespace lazylogit::train
