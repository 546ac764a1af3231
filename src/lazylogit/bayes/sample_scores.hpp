// The scores of a row under every stored sample of a model's posterior.
#pragma once

#include <cstddef>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::bayes {

class SampleScores {
 public:
  // The first `draws` of evenly spaced samples; all when there are no more. The model must outlive this.
  SampleScores(const model::Model& model, std::size_t draws);

  std::size_t num_draws() const noexcept { return count_; }
  // out: class by class, num_draws() each; the reference's are 0. `offset` is added to the second of two classes.
  // Cost: entries · vectors · samples.
  template <class Value>
  void operator()(const data::RowView<Value>& row, double offset, std::vector<double>& out) const;

 private:
  const model::Model& model_;
  std::size_t count_, stored_;
};

}  // namespace lazylogit::bayes
