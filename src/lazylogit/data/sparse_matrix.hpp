// Examples as compressed sparse rows: 64-bit row offsets, 32-bit feature ids, and values in one of three
// forms.
//
// Within a row ids are strictly ascending and no stored value is zero. `OnesValues` stores no values at all
// (every entry is 1): text and click data are often of that kind. Kernels are templates over the value type;
// `visit_rows` chooses once.
//
// Rows of a matrix that lies in memory in another form (`source`, row_source.hpp) look the same through `visit_rows`:
// then `ids` and `values` are empty, and a row is there until its thread has asked for two others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <variant>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/types.hpp"

namespace lazylogit::data {

class RowSource;  // row_source.hpp

struct OnesValues {};
using Values = std::variant<OnesValues, Buffer<float>, Buffer<double>>;

// The entries of one row; Value is float, double, or One for rows without stored values.
template <class Value>
struct RowView {
  std::span<const FeatureId> ids;
  const Value* values;
  std::size_t size() const noexcept { return ids.size(); }
  double value(std::size_t k) const noexcept { return static_cast<double>(values[k]); }
};

struct One {};  // stands for the value type of rows of ones
template <>
struct RowView<One> {
  std::span<const FeatureId> ids;
  std::size_t size() const noexcept { return ids.size(); }
  double value(std::size_t) const noexcept { return 1.0; }
};

// A row of a matrix of another form; Value is float or double, as its source says.
template <class Value>
RowView<Value> source_row(const RowSource& source, std::size_t i) noexcept;

// A typed, non-owning view of all rows: what kernels take.
template <class Value>
struct RowsView {
  const std::uint64_t* offsets;
  const FeatureId* ids;  // nullptr with a source, as are values
  const Value* values;   // nullptr for One
  std::size_t num_rows;
  const RowSource* source = nullptr;
  std::size_t row_size(std::size_t i) const noexcept { return offsets[i + 1] - offsets[i]; }
  RowView<Value> row(std::size_t i) const noexcept {
    if constexpr (!std::is_same_v<Value, One>)
      if (source != nullptr) [[unlikely]]
        return source_row<Value>(*source, i);
    const std::uint64_t from = offsets[i];
    const std::span<const FeatureId> row_ids(ids + from, offsets[i + 1] - from);
    if constexpr (std::is_same_v<Value, One>)
      return {row_ids};
    else
      return {row_ids, values + from};
  }
};

struct SparseMatrix {
  Buffer<std::uint64_t> row_offsets = Buffer<std::uint64_t>(1, 0);  // num_rows + 1, starting with 0
  Buffer<FeatureId> ids;
  Values values = OnesValues{};
  std::size_t num_features = 0;
  std::shared_ptr<const RowSource> source = nullptr;  // of rows that are stored elsewhere

  std::size_t num_rows() const noexcept { return row_offsets.size() - 1; }
  std::size_t num_nonzeros() const noexcept { return source != nullptr ? row_offsets.back() : ids.size(); }
  std::size_t row_size(std::size_t i) const noexcept { return row_offsets[i + 1] - row_offsets[i]; }
  // Without a source alone.
  std::span<const FeatureId> row_ids(std::size_t i) const noexcept {
    return {ids.data() + row_offsets[i], row_size(i)};
  }
  double value(std::size_t entry) const noexcept;  // by position in `ids`; slow path for reports and tests

  // Calls body(RowsView<One|float|double>) with the view that fits `values`.
  template <class Body>
  decltype(auto) visit_rows(Body&& body) const {
    if (const auto* f = std::get_if<Buffer<float>>(&values))
      return body(RowsView<float>{row_offsets.data(), ids.data(), f->data(), num_rows(), source.get()});
    if (const auto* d = std::get_if<Buffer<double>>(&values))
      return body(RowsView<double>{row_offsets.data(), ids.data(), d->data(), num_rows(), source.get()});
    return body(RowsView<One>{row_offsets.data(), ids.data(), nullptr, num_rows()});
  }
};

}  // namespace lazylogit::data
