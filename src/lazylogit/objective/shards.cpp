#include "lazylogit/objective/shards.hpp"

#include <algorithm>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::objective {

Shards::Shards(const data::SparseMatrix& x, std::size_t buffer_size, std::size_t per_entry,
               std::span<const std::uint64_t> ends) {
  constexpr std::size_t most = 16, least_work = 20'000;
  const std::size_t rows = x.num_rows();
  const std::size_t work = (x.num_nonzeros() + rows) * per_entry;
  std::size_t count = 1;
  if (work >= 2 * least_work)
    count = std::clamp(work / (4 * std::max<std::size_t>(1, buffer_size)), std::size_t{2}, most);
  count = std::min({count, std::max<std::size_t>(1, work / least_work), std::max<std::size_t>(1, rows)});
  // Row r is counted as its entries plus one (the intercept), so that empty rows are spread as well.
  begins_.assign(1, 0);
  const std::size_t total = x.num_nonzeros() + rows;
  std::size_t row = 0;
  for (std::size_t s = 1; s < count; ++s) {
    const std::size_t target = total / count * s;
    while (row < rows && x.row_offsets[row] + row < target) ++row;
    if (!ends.empty() && row > 0 && row < rows)
      row = static_cast<std::size_t>(*std::lower_bound(ends.begin(), ends.end(), row));
    begins_.push_back(row);
  }
  begins_.push_back(rows);
}

void add_in_order(std::span<double* const> buffers, std::size_t size) {
  if (buffers.size() < 2) return;
  constexpr std::size_t block_size = 16'384;
  parallel_blocks(num_blocks_of(size, block_size), [&](std::size_t block) {
    const std::size_t begin = block * block_size, end = std::min(size, begin + block_size);
    double* sum = buffers[0];
    for (std::size_t s = 1; s < buffers.size(); ++s) {
      const double* part = buffers[s];
      for (std::size_t i = begin; i < end; ++i) sum[i] += part[i];
    }
  });
}

}  // namespace lazylogit::objective
