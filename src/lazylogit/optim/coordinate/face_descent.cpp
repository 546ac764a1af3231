// Conjugate gradients on the face of the model where the present coefficients lie: signs fixed, kinks left
// out. Sweeps find the face; where columns are nearly collinear they crawl along it, and this does not.
#include <algorithm>
#include <cmath>

#include "lazylogit/math/kink.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"
#include "lazylogit/optim/coordinate/face_products.hpp"

namespace lazylogit::optim {
QuadraticModel::Face QuadraticModel::face_of(std::vector<Term>& terms,
                                             const std::vector<FreeIntercept>& intercepts, bool all) const {
  Face face;
  for (Term& term : terms)
    if (all || !term.rests()) face.terms.push_back(&term);
  face.begins.assign(vectors_ + 1, 0);
  for (const Term* term : face.terms) ++face.begins[term->vector + 1];
  for (std::size_t v = 0; v < vectors_; ++v) face.begins[v + 1] += face.begins[v];
  face.size = face.terms.size();
  for (std::size_t v = 0; v < vectors_; ++v)
    face.intercept.push_back(intercepts[v].present ? face.size++ : static_cast<std::size_t>(-1));
  return face;
}

void QuadraticModel::take_step(const Face& face, const math::Vector& step,
                               std::vector<FreeIntercept>& intercepts) {
  for (std::size_t k = 0; k < face.terms.size(); ++k) {
    Term& term = *face.terms[k];
    term.change = step[k] == -(term.start + term.change) ? -term.start : term.change + step[k];
  }
  for (std::size_t v = 0; v < vectors_; ++v) {
    if (face.intercept[v] < face.size) intercepts[v].change += step[face.intercept[v]];
    double* d = line_.direction(v);
    const double* u = face_scores_.data() + v * rows_;
    for (std::size_t j = 0; j < rows_; ++j) d[j] += u[j];
  }
  for (std::size_t j = 0; j < rows_; ++j) mean_[j] += step_[j];
}

template <class View>
void QuadraticModel::face_product(const View& view, const Face& face, const math::Vector& x,
                                  math::Vector& out) {
  face_scores(view, face, x);
  for (std::size_t v = 0; v < vectors_; ++v) {
    const double *p = line_.probabilities(v), *u = face_scores_.data() + v * rows_;
    const bool coupled = line_.coupled();
    for (std::size_t j = 0; j < rows_; ++j) {
      const double own = coupled ? p[j] * (u[j] - step_[j]) : line_.curvature(j, v) * u[j];
      face_residuals_[j] = line_.weight(j) * (own + damping(j, v) * u[j]);
    }
    face_dots(view, face, v, face_residuals_, out);
  }
  for (std::size_t k = 0; k < face.terms.size(); ++k) out[k] += face.terms[k]->curvature * x[k];
}

template <class View>
double QuadraticModel::descend_face(const View& view, std::vector<Term>& terms,
                                    std::vector<FreeIntercept>& intercepts, double forcing,
                                    const std::function<bool()>& interrupted) {
  constexpr int most_products = 60;
  const Face face = face_of(terms, intercepts, false);
  const std::size_t size = face.size;
  if (size == 0) return 0;
  math::Vector inverse(size), x(size, 0.0), residual(size), z(size), search(size), product(size);
  math::Vector gradient = face_gradient(view, face, intercepts, &inverse);
  for (std::size_t k = 0; k < face.terms.size(); ++k) {
    const Term& term = *face.terms[k];
    gradient[k] += term.l1 * math::sign(term.start + term.change);
    inverse[k] = term.square + term.curvature;
  }
  for (std::size_t k = 0; k < size; ++k) {
    inverse[k] = inverse[k] > 1e-290 ? 1 / inverse[k] : 0.0;
    residual[k] = -gradient[k];
    search[k] = z[k] = inverse[k] * residual[k];
  }
  constexpr double passes_of_rows = 4;
  double product_work = passes_of_rows * static_cast<double>(rows_ * vectors_);
  for (const Term* term : face.terms)
    if (term->feature < columns_.num_features())
      product_work += 2 * static_cast<double>(view.row(term->feature).size());
  double rho = dot(residual, z);
  const double target = forcing * forcing * rho;
  for (int k = 0; k < most_products && rho > target && !interrupted(); ++k) {
    face_product(view, face, search, product);
    work_ += product_work;
    const double curvature = dot(search, product);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    add_scaled(alpha, search, x);
    add_scaled(-alpha, product, residual);
    for (std::size_t i = 0; i < size; ++i) z[i] = inverse[i] * residual[i];
    const double next = dot(residual, z), beta = next / rho;
    rho = next;
    for (std::size_t i = 0; i < size; ++i) search[i] = z[i] + beta * search[i];
  }

  // A coefficient that would pass its kink stops there. If the model rises by that, a part of the step is
  // tried, at last the part with which the first coefficient arrives.
  double first_arrival = 1;
  for (std::size_t k = 0; k < face.terms.size(); ++k) {
    const double now = face.terms[k]->start + face.terms[k]->change;
    if (face.terms[k]->l1 > 0 && math::sign(now + x[k]) != math::sign(now))
      first_arrival = std::min(first_arrival, -now / x[k]);
  }
  math::Vector step(size);
  const auto gain_of = [&](double t) {
    for (std::size_t k = 0; k < size; ++k) {
      step[k] = t * x[k];
      if (k >= face.terms.size() || face.terms[k]->l1 == 0) continue;
      const double now = face.terms[k]->start + face.terms[k]->change;
      if (math::sign(now + step[k]) != math::sign(now)) step[k] = -now;
    }
    face_product(view, face, step, product);
    return -(dot(gradient, step) + 0.5 * dot(step, product));
  };
  double t = 1;
  while (!(gain_of(t) > 0)) {
    if (t <= first_arrival) return 0;
    t = std::max(0.2 * t, first_arrival);
  }
  double largest = 0;
  for (std::size_t k = 0; k < face.terms.size(); ++k) {
    const Term& term = *face.terms[k];
    largest = std::max(largest, std::abs(step[k]) * std::sqrt(term.square + term.curvature));
  }
  take_step(face, step, intercepts);
  return largest;
}

template double QuadraticModel::descend_face(const ColumnsView<float>&, std::vector<Term>&,
                                             std::vector<FreeIntercept>&, double,
                                             const std::function<bool()>&);
template double QuadraticModel::descend_face(const ColumnsView<double>&, std::vector<Term>&,
                                             std::vector<FreeIntercept>&, double,
                                             const std::function<bool()>&);
template double QuadraticModel::descend_face(const ColumnsView<data::One>&, std::vector<Term>&,
                                             std::vector<FreeIntercept>&, double,
                                             const std::function<bool()>&);

}  // namespace lazylogit::optim
