#include "lazylogit/objective/merged_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/row_source.hpp"

namespace lazylogit::objective {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

std::uint64_t mixed(std::uint64_t hash, std::uint64_t x) noexcept {
  hash = (hash ^ x) * 0x9fb21c651e98df25ULL;
  return hash ^ (hash >> 29);
}

// What has to be equal in rows that are alike.
template <class View>
class Likeness {
 public:
  Likeness(const Problem& problem, const View& rows) : problem_(problem), rows_(rows) {}

  std::uint64_t hash(std::size_t j) const noexcept {
    const auto row = rows_.row(j);
    std::uint64_t h = mixed(row.size(), static_cast<std::uint64_t>(problem_.labels[j]));
    for (std::size_t k = 0; k < row.size(); ++k)
      h = mixed(mixed(h, row.ids[k]), std::bit_cast<std::uint64_t>(row.value(k)));
    return mixed(h, std::bit_cast<std::uint64_t>(offset(j)));
  }
  bool equal(std::size_t a, std::size_t b) const noexcept {
    if (problem_.labels[a] != problem_.labels[b] || offset(a) != offset(b)) return false;
    const auto one = rows_.row(a), other = rows_.row(b);
    if (!std::equal(one.ids.begin(), one.ids.end(), other.ids.begin(), other.ids.end())) return false;
    for (std::size_t k = 0; k < one.size(); ++k)
      if (one.value(k) != other.value(k)) return false;
    return true;
  }

 private:
  double offset(std::size_t j) const noexcept { return problem_.offsets.empty() ? 0.0 : problem_.offsets[j]; }

  const Problem& problem_;
  const View& rows_;
};

// Whether so many rows of a sample are alike that it is worth looking at all of them.
template <class View>
bool promising(const Likeness<View>& likeness, std::size_t rows) {
  constexpr std::size_t most = 4096;
  constexpr double copies = 0.5;  // beside each row, in the mean
  const std::size_t count = std::min(rows, most);
  std::vector<std::uint64_t> hashes(count);
  for (std::size_t k = 0; k < count; ++k) hashes[k] = likeness.hash(k * rows / count);
  std::sort(hashes.begin(), hashes.end());
  double pairs = 0;
  for (std::size_t k = 0, run = 0; k < count; ++k) {
    run = k > 0 && hashes[k] == hashes[k - 1] ? run + 1 : 0;
    pairs += static_cast<double>(run);
  }
  const auto sampled = static_cast<double>(count);
  return 2 * pairs * static_cast<double>(rows) >= copies * sampled * sampled;
}

// For every row the first one that it is like; nobody: it has no weight.
template <class View>
std::vector<std::uint32_t> first_alike(const Problem& problem, const Likeness<View>& likeness,
                                       std::size_t rows) {
  constexpr std::size_t block = 4096;
  constexpr int most_steps = 64;  // rows made to collide stay as they are instead of taking quadratic time
  std::vector<std::uint64_t> hashes(rows);
  parallel_blocks(num_blocks_of(rows, block), [&](std::size_t b) {
    for (std::size_t j = b * block, end = std::min(rows, j + block); j < end; ++j)
      hashes[j] = likeness.hash(j);
  });
  std::vector<std::uint32_t> first(rows, nobody), table(std::bit_ceil(2 * rows), nobody);
  for (std::size_t j = 0; j < rows; ++j) {
    if (problem.weight(j) == 0) continue;
    first[j] = static_cast<std::uint32_t>(j);
    std::size_t at = hashes[j] & (table.size() - 1);
    for (int step = 0; step < most_steps; ++step, at = (at + 1) & (table.size() - 1)) {
      if (table[at] == nobody) {
        table[at] = static_cast<std::uint32_t>(j);
        break;
      }
      if (hashes[table[at]] == hashes[j] && likeness.equal(table[at], j)) {
        first[j] = table[at];
        break;
      }
    }
  }
  return first;
}

// The rows of `x` that are the first of their kind.
template <class Value>
void copy_firsts(const data::RowsView<Value>& rows, const std::vector<std::uint32_t>& first,
                 data::SparseMatrix& to) {
  Buffer<Value> values;
  for (std::size_t j = 0; j < rows.num_rows; ++j) {
    if (first[j] != j) continue;
    const auto row = rows.row(j);
    to.ids.append(row.ids);
    if constexpr (!std::is_same_v<Value, data::One>) values.append({row.values, row.size()});
    to.row_offsets.push_back(to.ids.size());
  }
  if constexpr (!std::is_same_v<Value, data::One>) to.values = std::move(values);
}

}  // namespace

std::unique_ptr<const MergedRows> MergedRows::of(const Problem& problem) {
  constexpr double least_work = 2e6, least_gain = 1.5;
  const std::size_t rows = problem.x->num_rows();
  const double work = static_cast<double>(problem.x->num_nonzeros() + rows) *
                      static_cast<double>(problem.shape.num_vectors());
  if (work < least_work || rows >= nobody || !problem.choice_ends.empty() ||
      problem.shape.response != data::Response::classes ||
      (problem.x->source != nullptr && !problem.x->source->random_access()))
    return nullptr;
  auto merged = std::make_unique<MergedRows>();
  const bool pays = problem.x->visit_rows([&](const auto& view) {
    const Likeness likeness(problem, view);
    if (!promising(likeness, rows)) return false;
    const std::vector<std::uint32_t> first = first_alike(problem, likeness, rows);
    std::size_t left = 0;
    for (std::size_t j = 0; j < rows; ++j) left += first[j] == j ? 1 : 0;
    if (static_cast<double>(left) * least_gain > static_cast<double>(rows)) return false;
    std::vector<std::uint32_t> place(rows, nobody);
    for (std::size_t j = 0; j < rows; ++j) {
      if (first[j] == nobody) continue;
      if (first[j] == j) {
        place[j] = static_cast<std::uint32_t>(merged->labels_.size());
        merged->labels_.push_back(problem.labels[j]);
        merged->weights_.push_back(0);
        if (!problem.offsets.empty()) merged->offsets_.push_back(problem.offsets[j]);
      }
      merged->weights_[place[first[j]]] += problem.weight(j);
    }
    merged->x_.num_features = problem.x->num_features;
    copy_firsts(view, first, merged->x_);
    return true;
  });
  if (!pays) return nullptr;
  merged->original_ = problem;
  return merged;
}

Problem MergedRows::problem() const {
  Problem result = original_;
  result.x = &x_;
  result.labels = labels_;
  result.weights = weights_;
  result.offsets = offsets_;
  return result;
}

}  // namespace lazylogit::objective
