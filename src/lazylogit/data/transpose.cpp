#include "lazylogit/data/transpose.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/large_blocks.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/data/row_source.hpp"

namespace lazylogit::data {
namespace {

// Stretches of rows that are worked on at a time: each needs a counter per feature.
std::size_t num_stretches(const SparseMatrix& x) {
  constexpr std::size_t most = 8, least_entries = 500'000;
  const std::size_t by_entries = x.num_nonzeros() / least_entries;
  const std::size_t by_counters = x.num_nonzeros() / (4 * (x.num_features + 1));
  return std::clamp(std::min(by_entries, by_counters), std::size_t{1}, most);
}

// Where each stretch of rows must stop writing a feature. Rows of our own are what they were when they were counted; those of
// a source may have changed, and then entries that have no place are left out and places that got none are zeros.
class Ends {
 public:
  Ends(const SparseMatrix& x, std::span<const std::uint8_t> wanted,
       const std::vector<std::vector<std::uint64_t>>& begins, const Buffer<std::uint64_t>& row_offsets) {
    if (x.source == nullptr) return;
    ends_.assign(begins.begin() + 1, begins.end());
    ends_.emplace_back(row_offsets.begin() + 1, row_offsets.end());
    for (std::vector<std::uint64_t>& stretch : ends_)
      for (std::size_t i = 0; i < x.num_features; ++i)
        if (wanted[i] == 0) stretch[i] = std::numeric_limits<std::uint64_t>::max();
  }
  bool are_watched() const noexcept { return !ends_.empty(); }
  std::uint64_t operator()(std::size_t stretch, std::size_t feature) const noexcept {
    return ends_[stretch][feature];
  }

 private:
  std::vector<std::vector<std::uint64_t>> ends_;
};

}  // namespace

SparseMatrix transposed(const SparseMatrix& x) {
  return transposed(x, std::vector<std::uint8_t>(x.num_features, 1));
}

SparseMatrix transposed(const SparseMatrix& x, std::span<const std::uint8_t> wanted) {
  if (x.num_rows() > std::numeric_limits<FeatureId>::max())
    throw ConfigError("optimizers that work by columns take at most 4294967295 rows", "optimizer",
                      "use lbfgs or newton");
  if (x.source != nullptr)
    if (std::optional<SparseMatrix> there = x.source->columns()) return std::move(*there);
  std::optional<SpoolScope> on_disk;  // as the rows are
  if (is_file_backed(x.ids.data())) on_disk.emplace(temporary_directory());
  SparseMatrix result;
  result.num_features = x.num_rows();
  result.row_offsets.resize(x.num_features + 1);
  const std::size_t stretches = num_stretches(x), rows = x.num_rows();
  std::vector<std::vector<std::uint64_t>> next(stretches);  // counts, then where each stretch writes
  const auto first_row = [&](std::size_t s) { return rows / stretches * s + std::min(s, rows % stretches); };
  parallel_blocks(stretches, [&](std::size_t s) {
    next[s].assign(x.num_features, 0);
    x.visit_rows([&](const auto& view) {
      for (std::size_t j = first_row(s); j < first_row(s + 1); ++j)
        for (const FeatureId id : view.row(j).ids) ++next[s][id];
    });
  });
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < x.num_features; ++i) {
    result.row_offsets[i] = total;
    for (std::size_t s = 0; s < stretches && wanted[i] != 0; ++s) {
      const std::uint64_t count = next[s][i];
      next[s][i] = total;
      total += count;
    }
  }
  result.row_offsets[x.num_features] = total;
  const Ends ends(x, wanted, next, result.row_offsets);
  // What is not wanted is written behind the end, over and over: cheaper than a branch that nobody can foresee.
  constexpr std::size_t apart = 16, ahead = 16;
  for (std::size_t i = 0; i < x.num_features && total < x.num_nonzeros(); ++i)
    for (std::size_t s = 0; s < stretches && wanted[i] == 0; ++s) next[s][i] = total + s * apart;
  result.ids.resize(total + stretches * apart);
  x.visit_rows([&]<class Value>(const RowsView<Value>& view) {
    Value* values = nullptr;
    if constexpr (!std::is_same_v<Value, One>) {
      auto& buffer = result.values.template emplace<Buffer<Value>>();
      buffer.resize(total + stretches * apart);
      values = buffer.data();
    }
    const auto put = [&](std::uint64_t to, std::size_t row, Value value) {
      result.ids[to] = static_cast<FeatureId>(row);
      if constexpr (!std::is_same_v<Value, One>) values[to] = value;
    };
    parallel_blocks(stretches, [&](std::size_t s) {
      const std::size_t end = view.source == nullptr ? view.offsets[first_row(s + 1)] : 0;
      // Where the entries a little later go: nearly every one is another line of memory.
      const auto ask_for = [&](std::uint64_t at) {
        if (at >= end) return;
        const std::uint64_t to = next[s][view.ids[at]];
        prefetch_to_change(result.ids.data() + to);
        if constexpr (!std::is_same_v<Value, One>) prefetch_to_change(values + to);
      };
      const auto scatter = [&](const auto& is_full) {
        for (std::size_t j = first_row(s); j < first_row(s + 1); ++j) {
          const RowView<Value> row = view.row(j);
          for (std::size_t k = 0; k < row.size(); ++k) {
            ask_for(view.offsets[j] + k + ahead);
            std::uint64_t& at = next[s][row.ids[k]];
            const std::uint64_t to = at;
            if (is_full(row.ids[k], to)) continue;
            at += wanted[row.ids[k]];
            if constexpr (std::is_same_v<Value, One>)
              put(to, j, {});
            else
              put(to, j, row.values[k]);
          }
        }
      };
      if (!ends.are_watched()) return scatter([](FeatureId, std::uint64_t) { return false; });
      scatter([&](FeatureId id, std::uint64_t to) { return to == ends(s, id); });
      for (std::size_t i = 0; i < x.num_features; ++i)
        for (std::uint64_t to = next[s][i]; wanted[i] != 0 && to < ends(s, i); ++to)
          put(to, first_row(s + 1) - 1, {});
    });
    if constexpr (!std::is_same_v<Value, One>) std::get<Buffer<Value>>(result.values).resize(total);
  });
  result.ids.resize(total);
  return result;
}

}  // namespace lazylogit::data
