// Likelihood: its public passes, where points and results are mapped between centred and original coefficients.
#include "lazylogit/objective/centering.hpp"
#include "lazylogit/objective/likelihood.hpp"

namespace lazylogit::objective {

math::Vector Likelihood::original(const double* b) const {
  math::Vector result(b, b + problem_.shape.size());
  to_original(problem_.shape, problem_.centers, result.data());
  return result;
}

double Likelihood::value(const double* b) const {
  return is_centered() ? rows_value(original(b).data()) : rows_value(b);
}

double Likelihood::value_and_gradient(const double* b, double* gradient) {
  if (!is_centered()) return rows_gradient(b, gradient);
  const double value = rows_gradient(original(b).data(), gradient);
  center_gradient(problem_.shape, problem_.centers, gradient);
  return value;
}

bool Likelihood::remember(const double* b) {
  return is_centered() ? rows_remember(original(b).data()) : rows_remember(b);
}

void Likelihood::hessian_vector(const double* v, double* out) {
  if (!is_centered()) return rows_hessian_vector(v, out);
  rows_hessian_vector(original(v).data(), out);
  center_gradient(problem_.shape, problem_.centers, out);
}

void Likelihood::hessian_diagonal(double* out) {
  rows_hessian_diagonal(out);
  if (!is_centered()) return;
  math::Vector cross(problem_.shape.size());
  rows_variances(cross.data());
  center_diagonal(problem_.shape, problem_.centers, cross.data(), out);
}

void Likelihood::hessian_matrix(double* out, double least) {
  rows_hessian_matrix(out, least);
  if (is_centered()) center_matrix(problem_.shape, problem_.centers, out);
}

std::size_t Likelihood::hold(const double* b, const double* trial, double promised) {
  return is_centered() ? rows_hold(original(b).data(), original(trial).data(), promised)
                       : rows_hold(b, trial, promised);
}

double Likelihood::mixture_divergence(const double* b, double tau, double epsilon,
                                      std::span<const double> r) const {
  return is_centered() ? rows_divergence(original(b).data(), tau, epsilon, r)
                       : rows_divergence(b, tau, epsilon, r);
}

void Likelihood::constant_residual(std::span<const double> r, double* out) {
  rows_constant_residual(r, out);
  if (is_centered()) center_gradient(problem_.shape, problem_.centers, out);
}

void Likelihood::add_constant(std::span<const double> r, double* out) {
  if (!is_centered()) return rows_add_constant(r, out);
  math::Vector added(problem_.shape.size(), 0.0);  // what is there already is centred
  rows_add_constant(r, added.data());
  center_gradient(problem_.shape, problem_.centers, added.data());
  for (std::size_t i = 0; i < added.size(); ++i) out[i] += added[i];
}

double Likelihood::label_divergence(const double* b, std::span<const LabelMixture> mixtures) const {
  return is_centered() ? rows_label_divergence(original(b).data(), mixtures)
                       : rows_label_divergence(b, mixtures);
}

}  // namespace lazylogit::objective
