#include "lazylogit/optim/coordinate/column_store.hpp"

#include <algorithm>

#include "lazylogit/data/transpose.hpp"

namespace lazylogit::optim {

void ColumnStore::require(std::span<const std::uint8_t> wanted) {
  const std::size_t features = num_features();
  const bool last = layers_.size() + 1 >= most_layers;
  std::vector<std::uint8_t> missing(features, 0);
  bool any = false;
  for (std::size_t i = 0; i < features; ++i) {
    missing[i] = !has(i) && (last || wanted[i] != 0) ? 1 : 0;
    any = any || (!has(i) && wanted[i] != 0);
  }
  if (!any) return;
  layers_.push_back(data::transposed(x_, missing));
  for (std::size_t i = 0; i < features; ++i)
    if (missing[i] != 0) layer_of_[i] = static_cast<std::uint8_t>(layers_.size() - 1);
}

}  // namespace lazylogit::optim
