// The likelihood's curvature times a few vectors at once, in single precision.
//
// Vectors stand side by side: for every row of the layout (features, then the intercept) `width` numbers, the columns of
// vector 0, those of vector 1, …, then padding of 0. Problems that the objective serves vector by vector have one column.
#pragma once

#include <cstddef>

#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::bayes {

class CurvatureBlock {
 public:
  // The objective's curvature point is set and stays. At most `most` ≥ 1 columns.
  CurvatureBlock(objective::Posterior& objective, std::size_t most);
  ~CurvatureBlock();
  CurvatureBlock(const CurvatureBlock&) = delete;
  CurvatureBlock& operator=(const CurvatureBlock&) = delete;

  std::size_t columns() const noexcept { return columns_; }
  std::size_t width() const noexcept { return width_; }
  // Calls sink(row, products) once for each row of the layout, from several threads.
  void operator()(const float* v, const objective::Likelihood::BlockSink& sink);

 private:
  objective::Likelihood& likelihood_;
  model::Shape shape_;
  std::size_t columns_, width_;
  math::Vector in_, out_;  // vector by vector
};

}  // namespace lazylogit::bayes
