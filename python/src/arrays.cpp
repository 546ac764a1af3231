#include "arrays.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/data/compressed_sources.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "repeated_ids.hpp"

namespace lazylogit::python {
namespace {

template <class Value>
[[noreturn]] void refuse(Value value) {
  if (std::isnan(value)) throw std::invalid_argument("Input X contains NaN.");
  throw std::invalid_argument(sizeof(Value) == 4
                                  ? "Input X contains infinity or a value too large for dtype('float32')."
                                  : "Input X contains infinity or a value too large for dtype('float64').");
}

struct Seen {
  bool zero, bad;
};

// Bits instead of numbers: comparisons of integers become wide instructions, sums of floats do not.
template <class Bits, class Value>
LAZYLOGIT_ALWAYS_INLINE Seen look_at(const Value* values, std::size_t count, Bits exponent) noexcept {
  Bits zero = 0, bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bits bits = std::bit_cast<Bits>(values[i]);
    zero |= static_cast<Bits>(static_cast<Bits>(bits << 1) == 0);
    bad |= static_cast<Bits>((bits & exponent) == exponent);
  }
  return {zero != 0, bad != 0};
}
LAZYLOGIT_TARGET_CLONES Seen look(const float* values, std::size_t count) noexcept {
  return look_at(values, count, std::uint32_t{0x7F800000});
}
LAZYLOGIT_TARGET_CLONES Seen look(const double* values, std::size_t count) noexcept {
  return look_at(values, count, std::uint64_t{0x7FF0000000000000});
}

// Whether there is no zero; throws for a value that is not finite.
template <class Value>
bool block_present(const Value* values, std::size_t count) {
  const Seen seen = look(values, count);
  if (seen.bad)
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i])) refuse(values[i]);
  return !seen.zero;
}

// Calls body(first, last) for parts of [0, count), on several threads where that is worth it.
template <class Body>
void in_parts(std::size_t count, std::size_t part, const Body& body) {
  if (count <= part) return body(std::size_t{0}, count);
  parallel_blocks(num_blocks_of(count, part),
                  [&](std::size_t block) { body(block * part, std::min(count, (block + 1) * part)); });
}

enum class Look { at_all, until_absent };

// Whether there is no zero; throws for a value that is not finite, of those that are looked at.
template <class Value>
bool all_present(const Value* values, std::size_t count, Look look) {
  constexpr std::size_t values_at_once = std::size_t{1} << 15;
  std::atomic<bool> present = true;
  in_parts(count, values_at_once, [&](std::size_t first, std::size_t last) {
    if (look == Look::until_absent && !present) return;
    if (!block_present(values + first, last - first)) present = false;
  });
  return present;
}

// Whether ids ascend strictly within the rows [first, last). Throws where one is out of range.
template <class Index>
bool rows_in_order(const Index* row_ends, const Index* ids, std::size_t first, std::size_t last,
                   std::size_t num_features) {
  bool in_order = true, in_range = true;
  for (std::size_t r = first; r < last; ++r) {
    const Index from = row_ends[r], to = row_ends[r + 1];
    if (from == to) continue;
    bool ascend = true;
    for (Index k = from + 1; k < to; ++k) ascend &= ids[k] > ids[k - 1];
    if (ascend) {  // then the ends bound the rest
      in_range &= ids[from] >= 0 && static_cast<std::size_t>(ids[to - 1]) < num_features;
    } else {
      in_order = false;
      for (Index k = from; k < to; ++k)
        in_range &= ids[k] >= 0 && static_cast<std::size_t>(ids[k]) < num_features;
    }
  }
  if (!in_range) throw std::invalid_argument("an index of the sparse matrix is out of range");
  return in_order;
}

void every_row_alike(Table& table, std::size_t num_rows, std::size_t width) {
  data::SparseMatrix& x = table.data.x;
  x.num_features = width;
  x.row_offsets.resize(num_rows + 1);
  for (std::size_t r = 0; r <= num_rows; ++r) x.row_offsets[r] = r * width;
  RepeatedIds ids = repeated_ids(width, num_rows);
  x.ids = Buffer<FeatureId>::borrow(ids.ids, num_rows * width);
  table.ids_owner = std::move(ids.owner);
}

template <class Value>
bool is_row_major(const Matrix<Value>& x) {
  return (x.stride(1) == 1 || x.shape(1) <= 1) &&
         (x.stride(0) == static_cast<std::int64_t>(x.shape(1)) || x.shape(0) <= 1);
}

// A copy is made where it is small, or small against the input: it is faster to read.
bool copy_pays(std::size_t copied_bytes, std::size_t input_bytes) {
  constexpr std::size_t small = std::size_t{4} << 20, share = 16;
  return copied_bytes <= std::max(small, input_bytes / share);
}

template <class Index>
void check_ends(const Array<Index>& ends, std::size_t entries, std::size_t num_values) {
  if (ends.shape(0) == 0 || num_values != entries || ends.data()[0] != 0 ||
      ends.data()[ends.shape(0) - 1] < 0 ||
      static_cast<std::size_t>(ends.data()[ends.shape(0) - 1]) != entries)
    throw std::invalid_argument("the parts of the sparse matrix do not fit together");
  for (std::size_t r = 0; r + 1 < ends.shape(0); ++r)
    if (ends.data()[r] > ends.data()[r + 1])
      throw std::invalid_argument("the pointers of the sparse matrix do not ascend");
}

// Whether the ids of every row, or column, ascend strictly.
template <class Index>
bool all_in_order(const Array<Index>& ends, const Array<Index>& ids, std::size_t limit) {
  const std::size_t count = ends.shape(0) - 1;
  std::atomic<bool> in_order = true;
  const std::size_t at_once =
      std::max<std::size_t>(1, (count << 16) / std::max<std::size_t>(1, ids.shape(0)));
  in_parts(count, at_once, [&](std::size_t first, std::size_t last) {
    if (!rows_in_order(ends.data(), ids.data(), first, last, limit)) in_order = false;
  });
  return in_order;
}

template <class Index, class Value>
bool is_small(const Array<Index>& ids, const Array<Value>& values) {
  const std::size_t input = ids.shape(0) * sizeof(Index) + values.shape(0) * sizeof(Value);
  return copy_pays(ids.shape(0) * (sizeof(FeatureId) + sizeof(Value)), input);
}

}  // namespace

template <class Index, class Value>
std::optional<Table> table_of_csr(const Array<Index>& row_ends, const Array<Index>& ids,
                                  const Array<Value>& values, std::size_t num_features) {
  check_ends(row_ends, ids.shape(0), values.shape(0));
  const std::size_t entries = ids.shape(0), num_rows = row_ends.shape(0) - 1;
  const bool present = all_present(values.data(), entries, Look::at_all);
  if (!all_in_order(row_ends, ids, num_features)) return std::nullopt;
  Table table;
  data::SparseMatrix& x = table.data.x;
  if (!present || sizeof(Index) != sizeof(FeatureId)) {
    x = data::rows_over(data::CompressedArrays<Index, Value>{row_ends.data(), ids.data(), values.data(),
                                                             num_rows, num_features});
    if (is_small(ids, values)) x = data::stored(x);
    return table;
  }
  x.num_features = num_features;
  x.row_offsets.resize(row_ends.shape(0));
  std::copy_n(row_ends.data(), row_ends.shape(0), x.row_offsets.data());
  // Not negative, so that signed and unsigned have the same bytes.
  x.ids = Buffer<FeatureId>::borrow(reinterpret_cast<const FeatureId*>(ids.data()), entries);
  x.values = Buffer<Value>::borrow(values.data(), entries);
  return table;
}

template <class Index, class Value>
std::optional<Table> table_of_csc(const Array<Index>& column_ends, const Array<Index>& ids,
                                  const Array<Value>& values, std::size_t num_rows) {
  constexpr std::size_t most_rows = std::size_t{1} << 31;
  check_ends(column_ends, ids.shape(0), values.shape(0));
  const std::size_t num_columns = column_ends.shape(0) - 1;
  all_present(values.data(), values.shape(0), Look::at_all);
  // Looks at every index, which whoever turns the matrix relies on.
  if (!all_in_order(column_ends, ids, num_rows) || is_small(ids, values) || num_rows > most_rows)
    return std::nullopt;
  Table table;
  table.data.x = data::columns_over(data::CompressedArrays<Index, Value>{
      column_ends.data(), ids.data(), values.data(), num_rows, num_columns});
  return table;
}

template <class Value>
void check_finite(const Value* values, std::size_t count) {
  block_present(values, count);
}

Table table_of_batches(std::vector<data::DenseBatch> batches, std::size_t width, std::size_t input_bytes) {
  const data::DenseRows rows = data::dense_rows_over(std::move(batches), width);
  if (rows.source == nullptr) {
    if (rows.is_single) refuse(static_cast<float>(rows.not_finite));
    refuse(rows.not_finite);
  }
  Table table;
  table.data.x = rows.matrix();
  const std::size_t entry = sizeof(FeatureId) + (rows.is_single ? sizeof(float) : sizeof(double));
  if (copy_pays(table.data.x.num_nonzeros() * entry, input_bytes)) table.data.x = data::stored(table.data.x);
  return table;
}

template <class Value>
Table table_of_dense(const Matrix<Value>& x) {
  const std::size_t num_rows = x.shape(0), width = x.shape(1);
  if (is_row_major(x) && all_present(x.data(), num_rows * width, Look::until_absent)) {
    Table table;
    table.data.x.values = Buffer<Value>::borrow(x.data(), num_rows * width);
    every_row_alike(table, num_rows, width);
    return table;
  }
  constexpr auto size = static_cast<std::int64_t>(sizeof(Value));
  data::DenseBatch batch{num_rows, std::vector<data::DenseColumn>(width)};
  for (std::size_t c = 0; c < width; ++c) {
    data::DenseColumn& column = batch.columns[c];
    column.type = sizeof(Value) == sizeof(float) ? data::CellType::f32 : data::CellType::f64;
    column.stride = x.stride(0) * size;
    column.cells =
        reinterpret_cast<const std::byte*>(x.data()) + static_cast<std::int64_t>(c) * x.stride(1) * size;
  }
  return table_of_batches({std::move(batch)}, width, num_rows * width * sizeof(Value));
}

#define LAZYLOGIT_CSR(Index, Value)                                                                         \
  template std::optional<Table> table_of_csr(const Array<Index>&, const Array<Index>&, const Array<Value>&, \
                                             std::size_t);                                                  \
  template std::optional<Table> table_of_csc(const Array<Index>&, const Array<Index>&, const Array<Value>&, \
                                             std::size_t);
LAZYLOGIT_CSR(std::int32_t, float)
LAZYLOGIT_CSR(std::int32_t, double)
LAZYLOGIT_CSR(std::int64_t, float)
LAZYLOGIT_CSR(std::int64_t, double)
#undef LAZYLOGIT_CSR
template void check_finite(const float*, std::size_t);
template void check_finite(const double*, std::size_t);
template Table table_of_dense(const Matrix<float>&);
template Table table_of_dense(const Matrix<double>&);

}  // namespace lazylogit::python
