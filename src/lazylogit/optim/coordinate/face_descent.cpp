// Conjugate gradients on the face of the model where the present coefficients lie: signs fixed, kinks left
// out. Sweeps find the face; where columns are nearly collinear they crawl along it, and this does not.
#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"
#include "lazylogit/optim/coordinate/column_kernels.hpp"
#include "lazylogit/optim/coordinate/quadratic_model.hpp"

namespace lazylogit::optim {
namespace {

// Terms whose columns are walked by one thread at a time.
constexpr std::size_t block_terms = 64;

double sign(double x) noexcept { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

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
void QuadraticModel::face_product(const View& view, const Face& face, const math::Vector& x,
                                  math::Vector& out) {
  face_scores(view, face, x);
  for (std::size_t v = 0; v < vectors_; ++v) {
    const double *p = line_.probabilities(v), *u = face_scores_.data() + v * rows_;
    const bool coupled = line_.coupled();
    for (std::size_t j = 0; j < rows_; ++j) {
      const double own = coupled ? p[j] * (u[j] - step_[j]) : line_.curvature(j, v) * u[j];
      face_residuals_[j] = line_.weight(j) * (own + damping_ * u[j]);
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
  Face face;
  for (Term& term : terms)
    if (!term.rests()) face.terms.push_back(&term);
  face.begins.assign(vectors_ + 1, 0);
  for (const Term* term : face.terms) ++face.begins[term->vector + 1];
  for (std::size_t v = 0; v < vectors_; ++v) face.begins[v + 1] += face.begins[v];
  std::size_t size = face.terms.size();
  for (std::size_t v = 0; v < vectors_; ++v)
    face.intercept.push_back(intercepts[v].present ? size++ : static_cast<std::size_t>(-1));
  if (size == 0) return 0;
  face_scores_.resize(rows_ * vectors_);
  face_residuals_.resize(rows_);

  math::Vector gradient(size), inverse(size), x(size, 0.0), residual(size), z(size), search(size),
      product(size);
  for (std::size_t v = 0; v < vectors_; ++v) {
    enter(v, {}, intercepts[v]);
    for (std::size_t j = 0; j < rows_; ++j) face_residuals_[j] = records_[j].residual;
    for (std::size_t j = 0; choices_.present() && j < rows_; ++j)
      face_residuals_[j] -= line_.weight(j) * line_.probabilities(v)[j] * choices_.of_row(j);
    face_dots(view, face, v, face_residuals_, gradient);
    if (face.intercept[v] < size) inverse[face.intercept[v]] = total_weight_;
  }
  for (std::size_t k = 0; k < face.terms.size(); ++k) {
    const Term& term = *face.terms[k];
    gradient[k] += term.gradient + term.curvature * term.change + term.l1 * sign(term.start + term.change);
    inverse[k] = term.square + term.curvature;
  }
  for (std::size_t k = 0; k < size; ++k) {
    inverse[k] = inverse[k] > 1e-290 ? 1 / inverse[k] : 0.0;
    residual[k] = -gradient[k];
    search[k] = z[k] = inverse[k] * residual[k];
  }
  double rho = dot(residual, z);
  const double target = forcing * forcing * rho;
  for (int k = 0; k < most_products && rho > target && !interrupted(); ++k) {
    face_product(view, face, search, product);
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
    if (face.terms[k]->l1 > 0 && sign(now + x[k]) != sign(now))
      first_arrival = std::min(first_arrival, -now / x[k]);
  }
  math::Vector step(size);
  const auto gain_of = [&](double t) {
    for (std::size_t k = 0; k < size; ++k) {
      step[k] = t * x[k];
      if (k >= face.terms.size() || face.terms[k]->l1 == 0) continue;
      const double now = face.terms[k]->start + face.terms[k]->change;
      if (sign(now + step[k]) != sign(now)) step[k] = -now;
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
    Term& term = *face.terms[k];
    term.change = step[k] == -(term.start + term.change) ? -term.start : term.change + step[k];
    largest = std::max(largest, std::abs(step[k]) * std::sqrt(term.square + term.curvature));
  }
  for (std::size_t v = 0; v < vectors_; ++v) {
    if (face.intercept[v] < size) intercepts[v].change += step[face.intercept[v]];
    double* d = line_.direction(v);
    const double* u = face_scores_.data() + v * rows_;
    for (std::size_t j = 0; j < rows_; ++j) d[j] += u[j];
  }
  for (std::size_t j = 0; j < rows_; ++j) mean_[j] += step_[j];
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
