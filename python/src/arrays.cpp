#include "arrays.hpp"

#include <cstdint>
#include <stdexcept>

namespace lazylogit::python {

template <class Index, class Value>
bool is_canonical(const Array<Index>& row_ends, const Array<Index>& ids, const Array<Value>& values,
                  std::size_t num_features) {
  const std::size_t entries = ids.shape(0);
  if (row_ends.shape(0) == 0 || values.shape(0) != entries || row_ends.data()[0] != 0 ||
      static_cast<std::size_t>(row_ends.data()[row_ends.shape(0) - 1]) != entries)
    throw std::invalid_argument("the parts of the sparse matrix do not fit together");
  for (std::size_t r = 0; r + 1 < row_ends.shape(0); ++r) {
    const Index from = row_ends.data()[r], to = row_ends.data()[r + 1];
    if (from > to || static_cast<std::size_t>(to) > entries)
      throw std::invalid_argument("the row pointers of the sparse matrix do not ascend");
    for (Index k = from; k < to; ++k) {
      const Index id = ids.data()[k];
      if (id < 0 || static_cast<std::size_t>(id) >= num_features)
        throw std::invalid_argument("a column index of the sparse matrix is out of range");
      if ((k > from && id <= ids.data()[k - 1]) || values.data()[k] == 0) return false;
    }
  }
  return true;
}

template <class Index, class Value>
data::Rows rows_of_csr(const Array<Index>& row_ends, const Array<Index>& ids, const Array<Value>& values,
                       std::size_t num_features) {
  data::Rows rows;
  rows.x.num_features = num_features;
  rows.x.row_offsets.resize(row_ends.shape(0));
  for (std::size_t r = 0; r < row_ends.shape(0); ++r)
    rows.x.row_offsets[r] = static_cast<std::uint64_t>(row_ends.data()[r]);
  if constexpr (sizeof(Index) == sizeof(FeatureId)) {
    // Not negative (is_canonical), so that signed and unsigned have the same bytes.
    rows.x.ids = Buffer<FeatureId>::borrow(reinterpret_cast<const FeatureId*>(ids.data()), ids.shape(0));
  } else {
    rows.x.ids.resize(ids.shape(0));
    for (std::size_t k = 0; k < ids.shape(0); ++k) rows.x.ids[k] = static_cast<FeatureId>(ids.data()[k]);
  }
  rows.x.values = Buffer<Value>::borrow(values.data(), values.shape(0));
  return rows;
}

template <class Value>
data::Rows rows_of_dense(const Matrix<Value>& x) {
  data::Rows rows;
  rows.x.num_features = x.shape(1);
  Buffer<Value> values;
  const Value* row = x.data();
  for (std::size_t r = 0; r < x.shape(0); ++r, row += x.shape(1)) {
    for (std::size_t c = 0; c < x.shape(1); ++c)
      if (row[c] != 0) {
        rows.x.ids.push_back(static_cast<FeatureId>(c));
        values.push_back(row[c]);
      }
    rows.x.row_offsets.push_back(rows.x.ids.size());
  }
  rows.x.values = std::move(values);
  return rows;
}

#define LAZYLOGIT_CSR(Index, Value)                                                                       \
  template bool is_canonical(const Array<Index>&, const Array<Index>&, const Array<Value>&, std::size_t); \
  template data::Rows rows_of_csr(const Array<Index>&, const Array<Index>&, const Array<Value>&, std::size_t);
LAZYLOGIT_CSR(std::int32_t, float)
LAZYLOGIT_CSR(std::int32_t, double)
LAZYLOGIT_CSR(std::int64_t, float)
LAZYLOGIT_CSR(std::int64_t, double)
#undef LAZYLOGIT_CSR
template data::Rows rows_of_dense(const Matrix<float>&);
template data::Rows rows_of_dense(const Matrix<double>&);

}  // namespace lazylogit::python
