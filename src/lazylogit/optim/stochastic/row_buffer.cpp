#include "lazylogit/optim/stochastic/row_buffer.hpp"

namespace lazylogit::optim {

void RowBuffer::load(std::size_t row) {
  problem_->x->visit_rows([&](const auto& rows) {
    const auto view = rows.row(row);
    ids_.assign(view.ids.begin(), view.ids.end());
    values_.resize(view.size());
    for (std::size_t k = 0; k < view.size(); ++k) values_[k] = view.value(k);
  });
  if (problem_->shape.has_intercept) {
    ids_.push_back(problem_->shape.num_features);
    values_.push_back(1.0);
  }
}

}  // namespace lazylogit::optim
