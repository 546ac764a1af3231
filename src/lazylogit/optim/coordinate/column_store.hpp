// The data by columns, as far as they are asked for.
//
// A sparse fit looks at few of the columns. Each demand for new ones makes a layer: one pass over the entries, and
// memory for those it takes. After a few layers the next one takes all columns that are left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::optim {

// A typed view of all columns that are there.
template <class Value>
struct ColumnsView {
  const data::RowsView<Value>* layers;
  const std::uint8_t* layer_of;
  data::RowView<Value> row(std::size_t feature) const noexcept {
    return layers[layer_of[feature]].row(feature);
  }
};

class ColumnStore {
 public:
  // `x` must outlive the store, which holds no column yet.
  explicit ColumnStore(const data::SparseMatrix& x) : x_(x), layer_of_(x.num_features, none) {}

  // Makes the columns of the features that `wanted` marks (one entry for each) available.
  void require(std::span<const std::uint8_t> wanted);
  bool has(std::size_t feature) const noexcept { return layer_of_[feature] != none; }
  std::size_t num_features() const noexcept { return layer_of_.size(); }
  std::size_t num_layers() const noexcept { return layers_.size(); }

  // Calls body(ColumnsView<One|float|double>). Columns that are not there must not be looked at.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return x_.visit_rows([&]<class Value>(const data::RowsView<Value>&) {
      std::vector<data::RowsView<Value>> views;
      for (const data::SparseMatrix& layer : layers_)
        layer.visit_rows([&]<class Own>(const data::RowsView<Own>& view) {
          if constexpr (std::is_same_v<Own, Value>) views.push_back(view);
        });
      return body(ColumnsView<Value>{views.data(), layer_of_.data()});
    });
  }

 private:
  static constexpr std::uint8_t none = 255;
  static constexpr std::size_t most_layers = 4;

  const data::SparseMatrix& x_;
  std::vector<data::SparseMatrix> layers_;
  std::vector<std::uint8_t> layer_of_;
};

}  // namespace lazylogit::optim
