// Collects derived rows in the form of a SparseMatrix, and walks those of one as the deriver wants them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/io/derived/row_deriver.hpp"

namespace lazylogit::io {

class DerivedRows {
 public:
  explicit DerivedRows(bool store_double) : store_double_(store_double) {}
  // Equal ids are added up, zeros left out. `sorted`: by id; else in the order given, unless ids repeat.
  // InputError when a value does not fit float32.
  void add(const std::vector<RowDeriver::Entry>& row, bool sorted, std::uint64_t number);
  std::uint64_t memory_bytes() const noexcept;
  data::SparseMatrix finish(std::size_t num_features);

 private:
  void push(const RowDeriver::Entry& entry, std::uint64_t number);

  bool store_double_;
  bool all_ones_ = true;
  data::SparseMatrix x_;
  Buffer<float> narrow_;
  Buffer<double> wide_;
  std::vector<RowDeriver::Entry> row_;
  std::vector<std::uint32_t> ids_;
};

// What derived values are stored as: what the base values are; where those are ones, what the kind of data has.
bool stores_double(const data::SparseMatrix& x, data::InputKind kind, Precision precision);

// Calls body(ids, values, row number from 0) for every row.
template <class Body>
void for_each_row(const data::SparseMatrix& x, const Body& body) {
  std::vector<double> values;
  x.visit_rows([&](const auto& rows) {
    for (std::size_t i = 0; i < rows.num_rows; ++i) {
      const auto row = rows.row(i);
      values.resize(row.size());
      for (std::size_t k = 0; k < row.size(); ++k) values[k] = row.value(k);
      body(row.ids, std::span<const double>(values), i);
    }
  });
}

}  // namespace lazylogit::io
