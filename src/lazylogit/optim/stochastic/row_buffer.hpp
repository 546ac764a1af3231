// One row of a problem as plain arrays of ids and doubles, the intercept appended: what the ledgers that
// are not tuned to a value type work on.
#pragma once

#include <cstddef>
#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

class RowBuffer {
 public:
  explicit RowBuffer(const objective::Problem& problem) : problem_(&problem) {}
  void load(std::size_t row);

  std::size_t size() const noexcept { return ids_.size(); }
  std::size_t id(std::size_t k) const noexcept { return ids_[k]; }
  double value(std::size_t k) const noexcept { return values_[k]; }

 private:
  const objective::Problem* problem_;
  std::vector<std::size_t> ids_;
  std::vector<double> values_;
};

}  // namespace lazylogit::optim
