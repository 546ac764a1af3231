#include "lazylogit/optim/stochastic/row_order.hpp"

#include <algorithm>
#include <numeric>

#include "lazylogit/base/random.hpp"

namespace lazylogit::optim {

void RowOrder::shuffle(std::uint64_t epoch) {
  constexpr std::size_t run = 16;
  const std::size_t all = problem_.x->num_rows();
  std::vector<std::size_t> runs((all + run - 1) / run);
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  Random(epoch + 1).shuffle(std::span(runs));
  rows_.clear();
  for (const std::size_t k : runs)
    for (std::size_t r = run * k; r < std::min(all, run * (k + 1)); ++r)
      if (problem_.weight(r) > 0) rows_.push_back(r);
}

}  // namespace lazylogit::optim
