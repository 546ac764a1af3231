#include "lazylogit/bayes/curvature_block.hpp"

#include <algorithm>

#include "lazylogit/math/wide_scores.hpp"

namespace lazylogit::bayes {

CurvatureBlock::CurvatureBlock(objective::Posterior& objective, std::size_t most)
    : likelihood_(objective.likelihood()),
      shape_(objective.problem().shape),
      columns_(likelihood_.block_columns(most)),
      width_(math::wide_width(shape_.num_vectors() * columns_)) {
  if (columns_ > 0) return;
  columns_ = 1;
  width_ = shape_.num_vectors();
  in_.assign(shape_.size(), 0.0);
  out_.resize(shape_.size());
}

CurvatureBlock::~CurvatureBlock() { likelihood_.forget_block(); }

void CurvatureBlock::operator()(const float* v, const objective::Likelihood::BlockSink& sink) {
  if (in_.empty()) return likelihood_.hessian_block(v, columns_, sink);
  for (std::size_t row = 0; row < shape_.num_rows(); ++row)
    for (std::size_t k = 0; k < width_; ++k)
      in_[shape_.index(row, k)] = static_cast<double>(v[row * width_ + k]);
  likelihood_.hessian_vector(in_.data(), out_.data());
  std::vector<float> product(width_);
  for (std::size_t row = 0; row < shape_.num_rows(); ++row) {
    for (std::size_t k = 0; k < width_; ++k) product[k] = static_cast<float>(out_[shape_.index(row, k)]);
    sink(row, product.data());
  }
}

}  // namespace lazylogit::bayes
