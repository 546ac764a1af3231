// The rows of positive weight in the order of an epoch: short runs of neighbours, which lie together in memory, in random
// order. Depends on the number of the epoch and on the rows alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

class RowOrder {
 public:
  explicit RowOrder(const objective::Problem& problem) : problem_(problem) {}
  void shuffle(std::uint64_t epoch);
  std::span<const std::uint64_t> rows() const noexcept { return rows_; }

 private:
  const objective::Problem& problem_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace lazylogit::optim
