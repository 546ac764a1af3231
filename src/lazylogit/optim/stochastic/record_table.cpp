#include "lazylogit/optim/stochastic/record_table.hpp"

#include <algorithm>

namespace lazylogit::optim {

RecordTable::RecordTable(const model::Shape& shape, std::span<const double> start)
    : width_(record_width(shape.num_vectors())),
      vectors_(shape.num_vectors()),
      stride_(shape.stride()),
      num_records_(shape.num_rows()),
      values_(num_records_ * width_, 0.0) {
  for (std::size_t f = 0; f < num_records_; ++f) std::copy_n(&start[f * stride_], vectors_, record(f));
}

void RecordTable::copy_to(std::span<double> coefficients) const {
  for (std::size_t f = 0; f < num_records_; ++f) std::copy_n(record(f), vectors_, &coefficients[f * stride_]);
}

}  // namespace lazylogit::optim
