#include "arrays.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "lazylogit/base/parallel.hpp"
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

// Bits instead of numbers: comparisons of integers become wide instructions, sums of floats do not.
template <class Value>
bool block_present(const Value* values, std::size_t count) {
  using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits exponent = sizeof(Value) == 4 ? Bits{0x7F800000} : static_cast<Bits>(0x7FF0000000000000);
  Bits zero = 0, bad = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bits bits = std::bit_cast<Bits>(values[i]);
    zero |= static_cast<Bits>(static_cast<Bits>(bits << 1) == 0);
    bad |= static_cast<Bits>((bits & exponent) == exponent);
  }
  if (bad != 0)
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i])) refuse(values[i]);
  return zero == 0;
}

// Calls body(first, last) for parts of [0, count), on several threads where that is worth it.
template <class Body>
void in_parts(std::size_t count, std::size_t part, const Body& body) {
  if (count <= part) return body(std::size_t{0}, count);
  parallel_blocks(num_blocks_of(count, part),
                  [&](std::size_t block) { body(block * part, std::min(count, (block + 1) * part)); });
}

// Whether there is no zero; throws for a value that is not finite.
template <class Value>
bool all_present(const Value* values, std::size_t count) {
  constexpr std::size_t values_at_once = std::size_t{1} << 17;
  std::atomic<bool> present = true;
  in_parts(count, values_at_once, [&](std::size_t first, std::size_t last) {
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
  if (!in_range) throw std::invalid_argument("a column index of the sparse matrix is out of range");
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

template <class Index>
void check_row_ends(const Array<Index>& row_ends, std::size_t entries, std::size_t num_values) {
  if (row_ends.shape(0) == 0 || num_values != entries || row_ends.data()[0] != 0 ||
      row_ends.data()[row_ends.shape(0) - 1] < 0 ||
      static_cast<std::size_t>(row_ends.data()[row_ends.shape(0) - 1]) != entries)
    throw std::invalid_argument("the parts of the sparse matrix do not fit together");
  for (std::size_t r = 0; r + 1 < row_ends.shape(0); ++r)
    if (row_ends.data()[r] > row_ends.data()[r + 1])
      throw std::invalid_argument("the row pointers of the sparse matrix do not ascend");
}

// Some rows of any strides, row after row.
template <class Value>
void gather_rows(const Matrix<Value>& x, std::size_t first, std::size_t count, Value* out) {
  const std::size_t width = x.shape(1);
  for (std::size_t c = 0; c < width; ++c) {
    const Value* from = x.data() + static_cast<std::int64_t>(first) * x.stride(0) +
                        static_cast<std::int64_t>(c) * x.stride(1);
    for (std::size_t r = 0; r < count; ++r)
      out[r * width + c] = from[static_cast<std::int64_t>(r) * x.stride(0)];
  }
}

template <class Value>
bool is_row_major(const Matrix<Value>& x) {
  return (x.stride(1) == 1 || x.shape(1) <= 1) &&
         (x.stride(0) == static_cast<std::int64_t>(x.shape(1)) || x.shape(0) <= 1);
}

template <class Value>
Table compressed(const Matrix<Value>& x) {
  constexpr std::size_t rows_at_once = 256;
  const std::size_t num_rows = x.shape(0), width = x.shape(1);
  Table table;
  data::SparseMatrix& out = table.data.x;
  out.num_features = width;
  Buffer<Value> values, rows;
  rows.resize(std::min(rows_at_once, num_rows) * width);
  for (std::size_t first = 0; first < num_rows; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, num_rows - first);
    gather_rows(x, first, count, rows.data());
    all_present(rows.data(), count * width);
    for (std::size_t r = 0; r < count; ++r) {
      const Value* row = rows.data() + r * width;
      for (std::size_t c = 0; c < width; ++c)
        if (row[c] != 0) {
          out.ids.push_back(static_cast<FeatureId>(c));
          values.push_back(row[c]);
        }
      out.row_offsets.push_back(out.ids.size());
    }
  }
  out.values = std::move(values);
  return table;
}

// Whether no value is zero, looking at all of them; throws for one that is not finite.
template <class Value>
bool all_present(const Matrix<Value>& x) {
  constexpr std::size_t rows_at_once = 256;
  const std::size_t num_rows = x.shape(0), width = x.shape(1);
  if (is_row_major(x)) return all_present(x.data(), num_rows * width);
  Buffer<Value> rows;
  rows.resize(std::min(rows_at_once, num_rows) * width);
  bool present = true;
  for (std::size_t first = 0; first < num_rows; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, num_rows - first);
    gather_rows(x, first, count, rows.data());
    present &= all_present(rows.data(), count * width);
  }
  return present;
}

}  // namespace

template <class Index, class Value>
std::optional<Table> table_of_csr(const Array<Index>& row_ends, const Array<Index>& ids,
                                  const Array<Value>& values, std::size_t num_features) {
  check_row_ends(row_ends, ids.shape(0), values.shape(0));
  const std::size_t entries = ids.shape(0), num_rows = row_ends.shape(0) - 1;
  std::atomic<bool> in_order = all_present(values.data(), entries);
  const std::size_t rows_at_once =
      std::max<std::size_t>(1, (num_rows << 16) / std::max<std::size_t>(1, entries));
  in_parts(num_rows, rows_at_once, [&](std::size_t first, std::size_t last) {
    if (!rows_in_order(row_ends.data(), ids.data(), first, last, num_features)) in_order = false;
  });
  if (!in_order) return std::nullopt;
  Table table;
  data::SparseMatrix& x = table.data.x;
  x.num_features = num_features;
  if constexpr (sizeof(Index) == sizeof(std::uint64_t)) {
    x.row_offsets = Buffer<std::uint64_t>::borrow(reinterpret_cast<const std::uint64_t*>(row_ends.data()),
                                                  row_ends.shape(0));
    x.ids.resize(entries);
    for (std::size_t k = 0; k < entries; ++k) x.ids[k] = static_cast<FeatureId>(ids.data()[k]);
  } else {
    x.row_offsets.resize(row_ends.shape(0));
    std::copy_n(row_ends.data(), row_ends.shape(0), x.row_offsets.data());
    // Not negative, so that signed and unsigned have the same bytes.
    x.ids = Buffer<FeatureId>::borrow(reinterpret_cast<const FeatureId*>(ids.data()), entries);
  }
  x.values = Buffer<Value>::borrow(values.data(), entries);
  return table;
}

template <class Value>
Table table_to_score(const Array<std::int32_t>& row_ends, const Array<std::int32_t>& ids,
                     const Array<Value>& values, std::size_t num_features) {
  check_row_ends(row_ends, ids.shape(0), values.shape(0));
  Table table;
  data::SparseMatrix& x = table.data.x;
  x.num_features = num_features;
  x.row_offsets.resize(row_ends.shape(0));
  std::copy_n(row_ends.data(), row_ends.shape(0), x.row_offsets.data());
  x.ids = Buffer<FeatureId>::borrow(reinterpret_cast<const FeatureId*>(ids.data()), ids.shape(0));
  x.values = Buffer<Value>::borrow(values.data(), values.shape(0));
  return table;
}

void check_columns(const data::SparseMatrix& x, std::size_t first, std::size_t last) {
  constexpr FeatureId top = FeatureId{1} << 31;
  const std::size_t from = x.row_offsets[first], to = x.row_offsets[last];
  if (from == to) return;
  if (x.num_features == 0 || x.num_features > top)
    throw std::invalid_argument("a column index of the sparse matrix is out of range");
  // The top bit of id, or of limit − id, is set where id is beyond the limit: two wide instructions per id.
  const auto limit = static_cast<FeatureId>(x.num_features - 1);
  FeatureId beyond = 0;
  for (std::size_t k = from; k < to; ++k) beyond |= x.ids[k] | (limit - x.ids[k]);
  if ((beyond & top) != 0) throw std::invalid_argument("a column index of the sparse matrix is out of range");
}

void check_values(const data::SparseMatrix& x, std::size_t row) {
  x.visit_rows([&]<class Value>(const data::RowsView<Value>& view) {
    if constexpr (!std::is_same_v<Value, data::One>)
      block_present(view.values + view.offsets[row], view.offsets[row + 1] - view.offsets[row]);
  });
}

template <class Value>
Table table_of_values(Buffer<Value> values, std::size_t num_rows, std::size_t width) {
  if (!all_present(values.data(), num_rows * width)) {
    const std::size_t shape[] = {num_rows, width};
    return compressed(Matrix<Value>(values.data(), 2, shape));
  }
  Table table;
  every_row_alike(table, num_rows, width);
  table.data.x.values = std::move(values);
  return table;
}

template <class Value>
Table table_of_dense(const Matrix<Value>& x) {
  const std::size_t num_rows = x.shape(0), width = x.shape(1);
  if (!all_present(x)) return compressed(x);
  Table table;
  if (is_row_major(x)) {
    table.data.x.values = Buffer<Value>::borrow(x.data(), num_rows * width);
  } else {
    constexpr std::size_t rows_at_once = 256;
    Buffer<Value> values;
    values.resize(num_rows * width);
    for (std::size_t first = 0; first < num_rows; first += rows_at_once)
      gather_rows(x, first, std::min(rows_at_once, num_rows - first), values.data() + first * width);
    table.data.x.values = std::move(values);
  }
  every_row_alike(table, num_rows, width);
  return table;
}

#define LAZYLOGIT_CSR(Index, Value)                                                                         \
  template std::optional<Table> table_of_csr(const Array<Index>&, const Array<Index>&, const Array<Value>&, \
                                             std::size_t);
LAZYLOGIT_CSR(std::int32_t, float)
LAZYLOGIT_CSR(std::int32_t, double)
LAZYLOGIT_CSR(std::int64_t, float)
LAZYLOGIT_CSR(std::int64_t, double)
#undef LAZYLOGIT_CSR
template Table table_to_score(const Array<std::int32_t>&, const Array<std::int32_t>&, const Array<float>&,
                              std::size_t);
template Table table_to_score(const Array<std::int32_t>&, const Array<std::int32_t>&, const Array<double>&,
                              std::size_t);
#define LAZYLOGIT_DENSE(Value)                         \
  template Table table_of_dense(const Matrix<Value>&); \
  template Table table_of_values(Buffer<Value>, std::size_t, std::size_t);
LAZYLOGIT_DENSE(float)
LAZYLOGIT_DENSE(double)
#undef LAZYLOGIT_DENSE

}  // namespace lazylogit::python
