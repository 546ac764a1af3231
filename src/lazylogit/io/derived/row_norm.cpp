#include "lazylogit/io/derived/row_norm.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

namespace lazylogit::io {
namespace {

template <class Value>
double norm_of(std::span<const Value> values, data::RowNorm norm) {
  double largest = 0, sum = 0, squares = 0;
  for (const Value value : values) largest = std::max(largest, std::abs(static_cast<double>(value)));
  if (largest == 0 || norm == data::RowNorm::max) return largest;
  for (const Value value : values) {
    const double ratio = std::abs(static_cast<double>(value)) / largest;
    sum += ratio;
    squares += ratio * ratio;
  }
  return largest * (norm == data::RowNorm::l1 ? sum : std::sqrt(squares));
}

template <class Value>
void apply(data::SparseMatrix& x, Buffer<Value>& all, data::RowNorm norm) {
  for (std::size_t i = 0; i < x.num_rows(); ++i) {
    const std::span<Value> values(all.data() + x.row_offsets[i], x.row_offsets[i + 1] - x.row_offsets[i]);
    const double size = norm_of<Value>(values, norm);
    if (size == 0) continue;
    for (Value& value : values) value = static_cast<Value>(static_cast<double>(value) / size);
  }
}

}  // namespace

void apply_row_norm(data::SparseMatrix& x, data::RowNorm norm, bool store_double) {
  if (norm == data::RowNorm::none) return;
  if (std::holds_alternative<data::OnesValues>(x.values)) {
    if (norm == data::RowNorm::max) return;
    if (store_double)
      x.values = Buffer<double>(x.num_nonzeros(), 1.0);
    else
      x.values = Buffer<float>(x.num_nonzeros(), 1.0F);
  }
  if (auto* narrow = std::get_if<Buffer<float>>(&x.values)) apply(x, *narrow, norm);
  if (auto* wide = std::get_if<Buffer<double>>(&x.values)) apply(x, *wide, norm);
}

}  // namespace lazylogit::io
