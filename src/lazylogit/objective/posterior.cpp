#include "lazylogit/objective/posterior.hpp"

#include <algorithm>
#include <type_traits>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/prior/smooth_part.hpp"

namespace lazylogit::objective {
namespace {

constexpr std::size_t block_size = 16'384;

// Σ body(i) over coordinates, in blocks added in order.
template <class Body>
double sum_blocks(std::size_t size, const Body& body) {
  const std::size_t blocks = num_blocks_of(size, block_size);
  std::vector<double> parts(blocks, 0.0);
  parallel_blocks(blocks, [&](std::size_t block) {
    double sum = 0;
    for (std::size_t i = block * block_size, end = std::min(size, i + block_size); i < end; ++i)
      sum += body(i);
    parts[block] = sum;
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace

ErrorParts evaluate_error(const Problem& problem, std::span<const double> b) {
  return {-Likelihood(problem).value(b.data()), problem.prior->penalty(b.data())};
}

Posterior::Posterior(const Problem& problem) : likelihood_(problem) {
  const model::Shape& shape = problem.shape;
  const prior::PriorTable& table = *problem.prior;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  for (std::size_t i = 0; i < table.size() && !table.shared() && !pinned_; ++i) pinned_ = table.pinned(i);
  table.visit([&](const auto& view) {
    using Family = typename std::decay_t<decltype(view)>::Family;
    if constexpr (std::is_same_v<Family, prior::Laplace> || std::is_same_v<Family, prior::ElasticNet>) {
      slopes_.assign(shape.size(), 0.0);
      for (std::size_t i = 0; i < slopes_.size(); ++i)
        if (i % stride < vectors && view.penalized(i)) slopes_[i] = view.at(i).slope();
      if (!view.shared) {
        kinks_.assign(shape.size(), 0.0);
        for (std::size_t i = 0; i < kinks_.size(); ++i) kinks_[i] = view.mean(i);
      }
      if (std::all_of(slopes_.begin(), slopes_.end(), [](double l) { return l == 0; })) slopes_.clear();
    }
  });
}

std::vector<std::uint8_t> Posterior::make_fixed() const {
  const model::Shape& shape = problem().shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  if (vectors == stride && !pinned_) return {};
  std::vector<std::uint8_t> fixed(shape.size(), 0);
  for (std::size_t row = 0; row < fixed.size(); row += stride)
    for (std::size_t v = 0; v < stride; ++v)
      if (v >= vectors || problem().prior->pinned(row + v)) fixed[row + v] = 1;
  return fixed;
}

void Posterior::clear_fixed(std::span<double> v) const {
  const auto fixed = this->fixed();
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i]) v[i] = 0;
}

double Posterior::value_and_gradient(std::span<const double> b, std::span<double> gradient) {
  ++passes_;
  const double loss = likelihood_.value_and_gradient(b.data(), gradient.data());
  const double penalty = problem().prior->visit([&](const auto& view) {
    return sum_blocks(b.size(), [&](std::size_t i) {
      if (!view.penalized(i)) return 0.0;
      const auto p = smooth_part(view.at(i));
      const double t = b[i] - view.mean(i);
      gradient[i] += p.gradient(t);
      return p.value(t);
    });
  });
  double coupled = 0;
  if (const prior::Coupling* coupling = problem().prior->coupling()) {
    const std::vector<double> t = problem().prior->shifted(b.data());
    coupling->add_product(t, gradient);
    coupled = coupling->value(t);
  }
  clear_pinned(gradient);
  return loss + penalty + coupled;
}

double Posterior::likelihood_gradient(std::span<const double> b, std::span<double> gradient) {
  ++passes_;
  return likelihood_.value_and_gradient(b.data(), gradient.data());
}

double Posterior::without_prior(std::span<const double> b, double value, std::span<double> gradient) const {
  double penalty = problem().prior->visit([&](const auto& view) {
    return sum_blocks(b.size(), [&](std::size_t i) {
      if (!view.penalized(i)) return 0.0;
      const auto p = smooth_part(view.at(i));
      const double t = b[i] - view.mean(i);
      gradient[i] -= p.gradient(t);
      return p.value(t);
    });
  });
  if (const prior::Coupling* coupling = problem().prior->coupling()) {
    const std::vector<double> t = problem().prior->shifted(b.data());
    math::Vector product(b.size(), 0.0);
    coupling->add_product(t, product);
    for (std::size_t i = 0; i < product.size(); ++i) gradient[i] -= product[i];
    penalty += coupling->value(t);
  }
  clear_pinned(gradient);
  return value - penalty;
}

double Posterior::without_prior(std::span<const double> b, double value) const {
  double penalty = problem().prior->visit([&](const auto& view) {
    return sum_blocks(b.size(), [&](std::size_t i) {
      return view.penalized(i) ? smooth_part(view.at(i)).value(b[i] - view.mean(i)) : 0.0;
    });
  });
  if (const prior::Coupling* coupling = problem().prior->coupling())
    penalty += coupling->value(problem().prior->shifted(b.data()));
  return value - penalty;
}

void Posterior::set_curvature_point(std::span<const double> b) {
  if (likelihood_.remember(b.data())) ++passes_;
  problem().prior->visit([&]<class View>(const View& view) {
    if constexpr (View::shared && !std::is_same_v<typename View::Family, prior::Cauchy>) {
      shared_curvature_ = smooth_part(view.at(0)).curvature(0);
      num_shared_ = view.num_penalized;
    } else {
      curvature_.assign(size(), 0.0);
      for (std::size_t i = 0; i < b.size(); ++i)
        if (view.penalized(i)) curvature_[i] = smooth_part(view.at(i)).curvature(b[i] - view.mean(i));
    }
  });
}

std::size_t Posterior::hold(std::span<const double> b, std::span<const double> trial, double promised) {
  ++passes_;
  return likelihood_.hold(b.data(), trial.data(), promised);
}

void Posterior::hessian_vector(std::span<const double> v, std::span<double> out) {
  ++passes_;
  likelihood_.hessian_vector(v.data(), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += prior_curvature(i) * v[i];
  if (const prior::Coupling* coupling = problem().prior->coupling()) coupling->add_product(v, out);
  clear_pinned(out);
}

void Posterior::hessian_diagonal(std::span<double> out) {
  ++passes_;
  likelihood_.hessian_diagonal(out.data());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += prior_curvature(i);
  clear_fixed(out);
}

void Posterior::hessian_matrix(std::span<double> out, double least) {
  ++passes_;
  likelihood_.hessian_matrix(out.data(), least);
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) out[i * n + i] += prior_curvature(i);
  if (const prior::Coupling* coupling = problem().prior->coupling()) coupling->add_matrix(out, n);
  const auto fixed = this->fixed();
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i])
      for (std::size_t h = 0; h < n; ++h) out[i * n + h] = out[h * n + i] = 0;
}

double Posterior::matrix_cost(double least) const {
  if (least > 0) return likelihood_.matrix_cost(least);
  if (!matrix_cost_) matrix_cost_ = likelihood_.matrix_cost();
  return *matrix_cost_;
}

double Posterior::pass_cost() const {
  return static_cast<double>((problem().x->num_nonzeros() + problem().x->num_rows()) *
                             problem().shape.stride());
}

}  // namespace lazylogit::objective
