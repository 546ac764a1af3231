#include "lazylogit/data/split.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"

namespace lazylogit::data {
namespace {

// Selection sampling: row i is taken with probability (still wanted) / (still to come), which gives exactly
// `count`.
std::vector<bool> draw_rows(std::size_t num_rows, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<bool> taken(num_rows);
  for (std::size_t i = 0; i < num_rows; ++i) {
    taken[i] = random.below(num_rows - i) < count;
    if (taken[i]) --count;
  }
  return taken;
}

// A class (a label, of several) whose rows were all taken gets its first one back: what training never saw has no
// coefficients to hold the rest against.
void leave_every_class(const Rows& rows, std::vector<bool>& taken) {
  std::vector<std::uint8_t> seen;
  const auto labels_of = [&](std::size_t i) {
    return rows.label_sets.empty() ? std::span<const ClassId>(&rows.labels[i], 1) : rows.label_sets[i];
  };
  const auto is_new = [&](ClassId label) {
    return label != unknown_class &&
           (seen.size() <= static_cast<std::size_t>(label) || seen[static_cast<std::size_t>(label)] == 0);
  };
  const auto note = [&](std::size_t i) {
    for (const ClassId label : labels_of(i)) {
      if (!is_new(label)) continue;
      if (seen.size() <= static_cast<std::size_t>(label)) seen.resize(static_cast<std::size_t>(label) + 1, 0);
      seen[static_cast<std::size_t>(label)] = 1;
    }
  };
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i]) note(i);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) continue;
    const auto labels = labels_of(i);
    if (std::none_of(labels.begin(), labels.end(), is_new)) continue;
    taken[i] = false;
    note(i);
  }
}

// One entry per row: kept ones move to the front of `column`, taken ones to `moved`.
template <class Column>
void split_column(Column& column, Column& moved, const std::vector<bool>& taken) {
  if (column.empty()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i])
      moved.push_back(std::move(column[i]));
    else
      column[kept++] = std::move(column[i]);
  }
  column.resize(kept);
}

// One entry per non-zero, by row offsets.
template <class T>
void split_entries(Buffer<T>& entries, Buffer<T>& moved, const Buffer<std::uint64_t>& offsets,
                   const std::vector<bool>& taken) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::size_t first = offsets[i], count = offsets[i + 1] - first;
    if (taken[i]) {
      moved.append({entries.data() + first, count});
    } else {
      std::copy_n(entries.data() + first, count, entries.data() + kept);
      kept += count;
    }
  }
  entries.resize(kept);
}

void split_matrix(SparseMatrix& x, SparseMatrix& moved, const std::vector<bool>& taken) {
  moved.num_features = x.num_features;
  split_entries(x.ids, moved.ids, x.row_offsets, taken);
  std::visit(
      [&]<class V>(V& values) {
        V moved_values{};
        if constexpr (!std::is_same_v<V, OnesValues>)
          split_entries(values, moved_values, x.row_offsets, taken);
        moved.values = std::move(moved_values);
      },
      x.values);
  std::size_t kept = 0;
  std::uint64_t kept_end = 0, begin = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::uint64_t end = x.row_offsets[i + 1], count = end - begin;
    begin = end;
    if (taken[i])
      moved.row_offsets.push_back(moved.row_offsets.back() + count);
    else
      x.row_offsets[++kept] = kept_end += count;
  }
  x.row_offsets.resize(kept + 1);
}

template <class Column>
void copy_column(const Column& column, Column& copy, std::span<const std::size_t> which) {
  if (column.empty()) return;
  for (const std::size_t i : which) copy.push_back(column[i]);
}

void copy_sets(const LabelSets& sets, LabelSets& copy, std::span<const std::size_t> which) {
  if (sets.empty()) return;
  for (const std::size_t i : which) copy.push_back(sets[i]);
}

void split_sets(LabelSets& sets, LabelSets& moved, const std::vector<bool>& taken) {
  if (sets.empty()) return;
  LabelSets kept;
  for (std::size_t i = 0; i < taken.size(); ++i) (taken[i] ? moved : kept).push_back(sets[i]);
  sets = std::move(kept);
}

}  // namespace

Rows copy_rows(const Rows& rows, std::span<const std::size_t> which) {
  Rows copy;
  if (!rows.choice_ends.empty())
    for (std::size_t k = 1; k <= which.size(); ++k)
      if (std::binary_search(rows.choice_ends.begin(), rows.choice_ends.end(), which[k - 1] + 1))
        copy.choice_ends.push_back(k);
  copy_column(rows.labels, copy.labels, which);
  copy_column(rows.targets, copy.targets, which);
  copy_sets(rows.label_sets, copy.label_sets, which);
  copy_column(rows.weights, copy.weights, which);
  copy_column(rows.offsets, copy.offsets, which);
  copy_column(rows.ids, copy.ids, which);
  const Buffer<std::uint64_t>& offsets = rows.x.row_offsets;
  copy.x.num_features = rows.x.num_features;
  rows.x.visit_rows([&]<class Value>(const RowsView<Value>& view) {
    for (const std::size_t i : which) copy.x.ids.append(view.row(i).ids);
    if constexpr (!std::is_same_v<Value, One>) {
      auto& values = copy.x.values.template emplace<Buffer<Value>>();
      for (const std::size_t i : which) values.append({view.row(i).values, view.row_size(i)});
    }
  });
  for (const std::size_t i : which)
    copy.x.row_offsets.push_back(copy.x.row_offsets.back() + offsets[i + 1] - offsets[i]);
  return copy;
}

namespace {

// Where the choices of the rows with `taken` equal to `which` end.
Buffer<std::uint64_t> ends_of(const Buffer<std::uint64_t>& ends, const std::vector<bool>& taken, bool which) {
  Buffer<std::uint64_t> own;
  std::uint64_t before = 0, total = 0;
  for (const std::uint64_t end : ends) {
    if (taken[before] == which) own.push_back(total += end - before);
    before = end;
  }
  return own;
}

}  // namespace

Rows take_holdout(Rows& rows, double fraction, std::uint64_t seed) {
  const bool choices = !rows.choice_ends.empty();
  const std::size_t num_rows = choices ? rows.choice_ends.size() : rows.num_rows();
  if (num_rows < 2) throw ConfigError("needs at least two rows to split", "holdout");
  const auto wanted = static_cast<std::size_t>(std::llround(fraction * static_cast<double>(num_rows)));
  std::vector<bool> taken = draw_rows(num_rows, std::clamp<std::size_t>(wanted, 1, num_rows - 1), seed);
  if (!choices && (!rows.labels.empty() || !rows.label_sets.empty())) leave_every_class(rows, taken);
  if (std::find(taken.begin(), taken.end(), true) == taken.end())
    throw ConfigError("no row can be held out: each is the only one of its class", "holdout");
  Rows moved;
  if (choices) {
    std::vector<bool> of_rows;
    for (std::size_t c = 0; c < num_rows; ++c) of_rows.resize(rows.choice_ends[c], taken[c]);
    taken = std::move(of_rows);
    moved.choice_ends = ends_of(rows.choice_ends, taken, true);
    rows.choice_ends = ends_of(rows.choice_ends, taken, false);
  }
  split_column(rows.labels, moved.labels, taken);
  split_column(rows.targets, moved.targets, taken);
  split_sets(rows.label_sets, moved.label_sets, taken);
  split_column(rows.weights, moved.weights, taken);
  split_column(rows.offsets, moved.offsets, taken);
  split_column(rows.ids, moved.ids, taken);
  split_matrix(rows.x, moved.x, taken);
  return moved;
}

}  // namespace lazylogit::data
