// The rest of a model's descent by its whole matrix: where rows are settled to very different degrees, sweeps over columns
// crawl, and so do conjugate gradients.
#include <algorithm>
#include <vector>

#include "lazylogit/optim/batch/kinked_quadratic.hpp"
#include "lazylogit/optim/coordinate/face_products.hpp"
#include "lazylogit/optim/coordinate/model_matrix.hpp"

namespace lazylogit::optim {

template <class View>
bool QuadraticModel::descend_matrix(const View& view, std::vector<Term>& terms,
                                    std::vector<FreeIntercept>& intercepts, double precision,
                                    double most_products) {
  constexpr std::size_t most_terms = 1500;
  constexpr double factors = 10;  // that its minimum takes
  if (!line_.coupled() || line_.has_centers() || choices_.present()) return false;
  const Face face = face_of(terms, intercepts, true);
  const auto size = static_cast<double>(face.size);
  if (face.size > most_terms || factors * size * size * size / 6 > most_products) return false;
  std::vector<MatrixTerm> of_matrix;
  math::Vector start, slopes;
  for (const Term* term : face.terms) {
    of_matrix.push_back({term->feature, term->vector, term->curvature});
    start.push_back(term->start + term->change);
    slopes.push_back(term->l1);
  }
  for (std::size_t v = 0; v < vectors_; ++v)
    if (face.intercept[v] < face.size)
      of_matrix.push_back({columns_.num_features(), static_cast<std::uint32_t>(v), 0.0});
  start.resize(face.size, 0.0);
  slopes.resize(face.size, 0.0);
  const auto matrix = model_matrix(
      line_, of_matrix, [this](std::size_t j, std::size_t v) { return damping(j, v); }, most_products,
      *interrupted_);
  if (!matrix) return false;
  const math::Vector gradient = face_gradient(view, face, intercepts, nullptr);
  const math::Vector step =
      minimum_of({.matrix = *matrix, .gradient = gradient, .start = start, .slopes = slopes, .fixed = {}},
                 precision, *interrupted_);
  face_scores(view, face, step);
  take_step(face, step, intercepts);
  return true;
}

template bool QuadraticModel::descend_matrix(const ColumnsView<float>&, std::vector<Term>&,
                                             std::vector<FreeIntercept>&, double, double);
template bool QuadraticModel::descend_matrix(const ColumnsView<double>&, std::vector<Term>&,
                                             std::vector<FreeIntercept>&, double, double);
template bool QuadraticModel::descend_matrix(const ColumnsView<data::One>&, std::vector<Term>&,
                                             std::vector<FreeIntercept>&, double, double);

}  // namespace lazylogit::optim
