// What descents on a face of the model share: the scores of a step, dot products with columns, the gradient.
#pragma once

#include <algorithm>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/optim/coordinate/column_kernels.hpp"
#include "lazylogit/optim/coordinate/quadratic_model.hpp"

namespace lazylogit::optim {

template <class View>
void QuadraticModel::face_scores(const View& view, const Face& face, const math::Vector& x) {
  parallel_blocks(vectors_, [&](std::size_t v) {
    double* to = face_scores_.data() + v * rows_;
    double constant = face.intercept[v] < x.size() ? x[face.intercept[v]] : 0.0;
    for (std::size_t k = face.begins[v]; k < face.begins[v + 1]; ++k)
      constant += x[k] * constant_of(*face.terms[k]);
    std::fill_n(to, rows_, constant);
    for (std::size_t k = face.begins[v]; k < face.begins[v + 1]; ++k) {
      if (x[k] == 0) continue;
      if (face.terms[k]->feature < columns_.num_features())
        column_add(view.row(face.terms[k]->feature), rows_, x[k], to);
    }
  });
  if (choices_.present()) {
    choices_.set(face_scores_.data());
    for (std::size_t j = 0; j < rows_; ++j) step_[j] = choices_.of_row(j);
    return;
  }
  std::fill(step_.begin(), step_.end(), 0.0);
  if (!line_.coupled()) return;
  for (std::size_t v = 0; v < vectors_; ++v) {
    const double *p = line_.probabilities(v), *u = face_scores_.data() + v * rows_;
    for (std::size_t j = 0; j < rows_; ++j) step_[j] += p[j] * u[j];
  }
}

template <class View>
void QuadraticModel::face_dots(const View& view, const Face& face, std::size_t v, const math::Vector& y,
                               math::Vector& out) {
  constexpr std::size_t block_terms = 64;  // whose columns are walked by one thread at a time
  const std::size_t begin = face.begins[v], end = face.begins[v + 1];
  double sum = 0;
  for (const double r : y) sum += r;
  parallel_blocks(num_blocks_of(end - begin, block_terms), [&](std::size_t block) {
    const std::size_t from = begin + block * block_terms;
    for (std::size_t k = from; k < std::min(end, from + block_terms); ++k) {
      out[k] = constant_of(*face.terms[k]) * sum;
      if (face.terms[k]->feature < columns_.num_features())
        out[k] += column_dot(view.row(face.terms[k]->feature), rows_, y.data());
    }
  });
  if (face.intercept[v] >= out.size()) return;
  out[face.intercept[v]] = sum;
}

template <class View>
math::Vector QuadraticModel::face_gradient(const View& view, const Face& face,
                                           std::vector<FreeIntercept>& intercepts, math::Vector* diagonal) {
  math::Vector gradient(face.size);
  face_scores_.resize(rows_ * vectors_);
  face_residuals_.resize(rows_);
  for (std::size_t v = 0; v < vectors_; ++v) {
    enter(v, {}, intercepts[v]);
    for (std::size_t j = 0; j < rows_; ++j) face_residuals_[j] = records_[j].residual;
    for (std::size_t j = 0; choices_.present() && j < rows_; ++j)
      face_residuals_[j] -= line_.weight(j) * line_.probabilities(v)[j] * choices_.of_row(j);
    face_dots(view, face, v, face_residuals_, gradient);
    if (diagonal != nullptr && face.intercept[v] < face.size) (*diagonal)[face.intercept[v]] = total_weight_;
  }
  for (std::size_t k = 0; k < face.terms.size(); ++k)
    gradient[k] += face.terms[k]->gradient + face.terms[k]->curvature * face.terms[k]->change;
  return gradient;
}

}  // namespace lazylogit::optim
