#include "lazylogit/data/folds.hpp"

#include <algorithm>

#include "lazylogit/base/random.hpp"

namespace lazylogit::data {

std::vector<std::vector<std::size_t>> stratified_folds(std::span<const std::size_t> rows,
                                                       std::span<const ClassId> labels, std::size_t count,
                                                       std::uint64_t seed) {
  std::vector<std::size_t> order(rows.begin(), rows.end());
  Random random(seed);
  random.shuffle(std::span<std::size_t>(order));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return labels[a] < labels[b]; });
  std::vector<std::vector<std::size_t>> folds(std::min(count, order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) folds[i % folds.size()].push_back(order[i]);
  return folds;
}

}  // namespace lazylogit::data
