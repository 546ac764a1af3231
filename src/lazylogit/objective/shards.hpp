// How a pass is cut up: contiguous stretches of rows with about equal numbers of entries, fixed by the data
// alone.
//
// Every shard sums into its own buffer; buffers are added in shard order, so the number of threads changes no
// byte. A buffer of the size of the gradient costs as much to clear and add as several entries per
// coefficient, so there are fewer shards where coefficients are many compared with entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/math/vector.hpp"

namespace lazylogit::objective {

class Shards {
 public:
  // `buffer_size`: doubles in one partial result; `per_entry`: coefficients an entry touches.
  // No shard ends within one of the stretches that end at `ends` (empty: each row is one).
  Shards(const data::SparseMatrix& x, std::size_t buffer_size, std::size_t per_entry,
         std::span<const std::uint64_t> ends = {});
  std::size_t count() const noexcept { return begins_.size() - 1; }
  std::size_t begin(std::size_t shard) const noexcept { return begins_[shard]; }
  std::size_t end(std::size_t shard) const noexcept { return begins_[shard + 1]; }

 private:
  std::vector<std::size_t> begins_;
};

// Adds buffers[1..] into buffers[0], all of `size`, in order, in parallel over positions.
void add_in_order(std::span<double* const> buffers, std::size_t size);

}  // namespace lazylogit::objective
