#include "lazylogit/io/feature_order.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/matrix_blocks.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint32_t dropped = 0xFFFFFFFF;

// Calls body(first, last) for blocks of [0, count), in parallel.
template <class Body>
void for_ranges(std::size_t count, std::size_t block_size, const Body& body) {
  parallel_blocks(num_blocks_of(count, block_size), [&](std::size_t block) {
    body(block * block_size, std::min(count, (block + 1) * block_size));
  });
}

std::uint32_t largest(const Buffer<FeatureId>& ids) {
  std::vector<std::uint32_t> parts(num_blocks_of(ids.size(), entries_per_block));
  for_ranges(ids.size(), entries_per_block, [&](std::size_t first, std::size_t last) {
    parts[first / entries_per_block] = *std::max_element(ids.begin() + first, ids.begin() + last);
  });
  return parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
}

// Takes out the entries whose id is `dropped` and moves the others up.
template <class T>
void close_gaps(data::SparseMatrix& x, T* values) {
  std::size_t to = 0, from = 0;
  for (std::size_t row = 0; row + 1 < x.row_offsets.size(); ++row) {
    const std::size_t end = x.row_offsets[row + 1];
    for (; from < end; ++from) {
      if (x.ids[from] == dropped) continue;
      x.ids[to] = x.ids[from];
      if (values != nullptr) values[to] = values[from];
      ++to;
    }
    x.row_offsets[row + 1] = to;
  }
  x.ids.resize(to);
}

void close_gaps(data::SparseMatrix& x) {
  if (auto* f = std::get_if<Buffer<float>>(&x.values)) {
    close_gaps(x, f->data());
    f->resize(x.ids.size());
  } else if (auto* d = std::get_if<Buffer<double>>(&x.values)) {
    close_gaps(x, d->data());
    d->resize(x.ids.size());
  } else {
    close_gaps(x, static_cast<float*>(nullptr));
  }
}

// Rows per id; ids are below `limit`.
std::vector<std::uint32_t> count_rows(const Buffer<FeatureId>& ids, std::size_t limit) {
  std::vector<std::uint32_t> counts(limit);
  for (const FeatureId id : ids) counts[id] += counts[id] != dropped ? 1 : 0;
  return counts;
}

// Up to so many ids it is faster to compare each with all, whole vectors at a time, than to sort: no branch depends on them.
constexpr std::size_t few_ids = 128, whole_vector = 16;

// How many of the ids, which are distinct, are less than each: its place among them. Behind them, up to whole vectors, is
// what is less than none.
LAZYLOGIT_TARGET_CLONES void rank_ids(const FeatureId* ids, std::size_t size, std::uint32_t* ranks) {
  const std::size_t compared = (size + whole_vector - 1) & ~(whole_vector - 1);
  for (std::size_t i = 0; i < size; ++i) {
    std::uint32_t less = 0;
    for (std::size_t k = 0; k < compared; ++k) less += ids[k] < ids[i] ? 1U : 0U;
    ranks[i] = less;
  }
}

template <class T>
void sort_few(FeatureId* ids, T* values, std::size_t size) {
  FeatureId old_ids[few_ids + whole_vector];
  T old_values[few_ids];
  std::uint32_t ranks[few_ids];
  std::copy_n(ids, size, old_ids);
  std::fill_n(old_ids + size, whole_vector, ~FeatureId{0});
  rank_ids(old_ids, size, ranks);
  for (std::size_t k = 0; k < size; ++k) ids[ranks[k]] = old_ids[k];
  if (values == nullptr) return;
  std::copy_n(values, size, old_values);
  for (std::size_t k = 0; k < size; ++k) values[ranks[k]] = old_values[k];
}

// Ids are distinct within a row.
template <class T>
void sort_rows(data::SparseMatrix& x, T* values) {
  for_ranges(x.num_rows(), rows_per_block, [&](std::size_t first, std::size_t last) {
    std::vector<std::uint64_t> keys;
    std::vector<T> moved;
    for (std::size_t row = first; row < last; ++row) {
      const std::size_t begin = x.row_offsets[row], size = x.row_offsets[row + 1] - begin;
      FeatureId* ids = x.ids.data() + begin;
      if (std::is_sorted(ids, ids + size)) continue;
      if (size <= few_ids) {
        sort_few(ids, values == nullptr ? values : values + begin, size);
        continue;
      }
      if (values == nullptr) {
        std::sort(ids, ids + size);
        continue;
      }
      keys.resize(size);
      moved.assign(values + begin, values + begin + size);
      for (std::size_t k = 0; k < size; ++k) keys[k] = (std::uint64_t{ids[k]} << 32) | k;
      std::sort(keys.begin(), keys.end());
      for (std::size_t k = 0; k < size; ++k) {
        ids[k] = static_cast<FeatureId>(keys[k] >> 32);
        values[begin + k] = moved[keys[k] & 0xFFFFFFFF];
      }
    }
  });
}

// The indices below a limit that occur, a bit each, and how many lie before each word of bits: the rank of one among
// them is a count of bits. A tenth of the memory of a direct table, so that most lookups stay in the cache.
class Presence {
 public:
  Presence(const Buffer<FeatureId>& ids, std::size_t limit) : bits_((limit + 63) / 64) {
    if (current_threads() == 1)  // nobody foresees which bits are new: set them all
      for (const FeatureId id : ids) bits_[id / 64] |= std::uint64_t{1} << (id % 64);
    else
      for_ranges(ids.size(), entries_per_block, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
          const std::uint32_t id = ids[k];
          const std::uint64_t bit = std::uint64_t{1} << (id % 64);
          // Mostly set already: look before writing, so that cores do not fight over the line.
          if ((__atomic_load_n(&bits_[id / 64], __ATOMIC_RELAXED) & bit) == 0)
            __atomic_fetch_or(&bits_[id / 64], bit, __ATOMIC_RELAXED);
        }
      });
    before_.reserve(bits_.size());
    for (const std::uint64_t word : bits_) {
      before_.push_back(static_cast<std::uint32_t>(count_));
      count_ += static_cast<std::size_t>(std::popcount(word));
    }
  }

  std::size_t count() const noexcept { return count_; }
  // Of an index that occurs.
  std::uint32_t rank(std::uint32_t index) const noexcept {
    const std::uint64_t below = (std::uint64_t{1} << (index % 64)) - 1;
    return before_[index / 64] + static_cast<std::uint32_t>(std::popcount(bits_[index / 64] & below));
  }
  // All of them, ascending.
  std::vector<std::uint32_t> indices() const {
    std::vector<std::uint32_t> all;
    all.reserve(count_);
    for (std::size_t w = 0; w < bits_.size(); ++w)
      for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1)
        all.push_back(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    return all;
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> before_;
  std::size_t count_ = 0;
};

// What columns are called: by their number, or by their slot.
struct Naming {
  int index_base = 1;
  bool slots = false;
};

void name_columns(const std::vector<std::uint32_t>& kept, const Naming& naming, data::Alphabet& names) {
  if (naming.slots) {
    for (const std::uint32_t index : kept) names.append(slot_name(index));
    return;
  }
  // Columns may be many: digits go where they stay.
  constexpr std::size_t most_digits = 10;
  Buffer<char> bytes;
  Buffer<std::uint64_t> ends;
  ends.resize(kept.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (bytes.size() < size + most_digits) bytes.resize(size + most_digits * (kept.size() - i));
    const std::uint64_t name = std::uint64_t{kept[i]} + static_cast<std::uint64_t>(naming.index_base);
    char* const to = bytes.data() + size;
    size += static_cast<std::size_t>(std::to_chars(to, to + most_digits, name).ptr - to);
    ends[i] = size;
  }
  bytes.resize(size);
  names = data::Alphabet::from_raw(std::move(bytes), std::move(ends));
}

template <class Map>
void map_ids(data::SparseMatrix& x, const Map& map, bool some_dropped) {
  for_ranges(x.ids.size(), entries_per_block, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) x.ids[k] = map(x.ids[k]);
  });
  if (some_dropped) close_gaps(x);
}

// Drops the columns in fewer than `min_count` rows; `columns` says something about each, and goes along.
void keep_frequent(data::SparseMatrix& x, std::uint64_t min_count, std::vector<std::uint32_t>& columns) {
  std::vector<std::uint32_t> map = count_rows(x.ids, columns.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const bool keep = map[i] >= min_count;
    map[i] = keep ? static_cast<std::uint32_t>(kept) : dropped;
    if (keep) columns[kept++] = columns[i];
  }
  const bool some_dropped = kept < columns.size();
  columns.resize(kept);
  if (some_dropped)
    map_ids(
        x, [&](std::uint32_t id) { return map[id]; }, true);
}

void number_sparse(data::SparseMatrix& x, data::Alphabet& names, const Naming& naming,
                   std::uint64_t min_count) {
  absl::flat_hash_map<std::uint32_t, std::uint32_t> columns;  // first the rows, then the column of an index
  for (const FeatureId id : x.ids) {
    std::uint32_t& count = columns[id];
    count += count != dropped ? 1 : 0;
  }
  std::vector<std::uint32_t> kept;
  for (auto& entry : columns) {
    if (entry.second >= min_count) kept.push_back(entry.first);
    entry.second = dropped;
  }
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) columns[kept[i]] = static_cast<std::uint32_t>(i);
  x.num_features = kept.size();
  name_columns(kept, naming, names);
  map_ids(
      x, [&](std::uint32_t index) { return columns.find(index)->second; }, kept.size() < columns.size());
}

void number_columns(data::SparseMatrix& x, data::Alphabet& names, const Naming& naming,
                    std::uint64_t min_count) {
  const std::size_t limit = x.ids.empty() ? 0 : std::size_t{largest(x.ids)} + 1;
  // A fifth of a byte per possible index is worth it while that is small beside the data.
  if (limit > (std::size_t{1} << 20) && limit / 16 > x.ids.size())
    return number_sparse(x, names, naming, min_count);
  const Presence presence(x.ids, limit);
  std::vector<std::uint32_t> kept = presence.indices();
  if (presence.count() < limit)  // else every index is its own rank
    map_ids(
        x, [&](std::uint32_t index) { return presence.rank(index); }, false);
  if (min_count > 1) keep_frequent(x, min_count, kept);
  x.num_features = kept.size();
  name_columns(kept, naming, names);
}

}  // namespace

void number_indices(data::SparseMatrix& x, data::Alphabet& names, int index_base, std::uint64_t min_count) {
  number_columns(x, names, {.index_base = index_base}, min_count);
}

void number_hashed(data::SparseMatrix& x, data::Alphabet& names, std::uint64_t min_count) {
  number_columns(x, names, {.slots = true}, min_count);
}

void number_names(data::SparseMatrix& x, data::Alphabet& names, std::uint64_t min_count) {
  if (min_count > 1) {
    std::vector<std::uint32_t> kept(names.size());
    std::iota(kept.begin(), kept.end(), 0U);
    keep_frequent(x, min_count, kept);
    data::Alphabet frequent;
    for (const std::uint32_t id : kept) frequent.append(names.name(id));
    names = std::move(frequent);
  }
  x.num_features = names.size();
  if (auto* f = std::get_if<Buffer<float>>(&x.values))
    sort_rows(x, f->data());
  else if (auto* d = std::get_if<Buffer<double>>(&x.values))
    sort_rows(x, d->data());
  else
    sort_rows(x, static_cast<float*>(nullptr));
}

}  // namespace lazylogit::io
