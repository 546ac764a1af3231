// The search for quasi-complete separation among many coefficients: by conjugate gradients, over sparse rows.
#include <numeric>

#include "lazylogit/objective/separation_margins.hpp"

namespace lazylogit::objective {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Some of the margins, as a linear map of the free coefficients: one per row of positive weight and other class.
class SomeMargins {
 public:
  SomeMargins(const Problem& problem, std::span<const std::uint8_t> free) : problem_(problem) {
    taken_.assign(problem.x->num_rows() * problem.shape.num_classes, 0);
    // Columns of length 1 have the conjugate gradients go together.
    math::Vector squares(free.size(), 0.0);
    const model::Shape& shape = problem.shape;
    problem.x->visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j) {
        const auto row = rows.row(j);
        for (std::size_t v = 0; v < shape.num_vectors() && problem.weight(j) != 0; ++v) {
          for (std::size_t k = 0; k < row.size(); ++k)
            squares[shape.index(row.ids[k], v)] += row.value(k) * row.value(k);
          if (shape.has_intercept) squares[shape.intercept_index(v)] += 1;
        }
      }
    });
    scale_.assign(free.size(), 0.0);
    for (std::size_t i = 0; i < scale_.size(); ++i)
      if (free[i] && squares[i] > 0) scale_[i] = 1 / std::sqrt(squares[i]);
  }

  const math::Vector& scale() const noexcept { return scale_; }
  void take(const std::vector<double>& margins, double at_most) {
    for (std::size_t k = 0; k < margins.size(); ++k) taken_[k] = margins[k] <= at_most ? 1 : 0;
  }

  // All margins of a direction, row by row and class by class; infinite where there is none.
  std::vector<double> all(const math::Vector& d) const {
    std::vector<double> margins(taken_.size(), HUGE_VAL);
    for_each_margin(problem_, d, [&](std::size_t j, std::size_t c, double margin, double) {
      margins[j * problem_.shape.num_classes + c] = margin;
    });
    return margins;
  }
  // Of scaled coefficients, those taken; 0 elsewhere.
  std::vector<double> product(const std::vector<double>& z) const {
    math::Vector d(z.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = scale_[i] * z[i];
    std::vector<double> margins = all(d);
    for (std::size_t k = 0; k < margins.size(); ++k)
      if (taken_[k] == 0) margins[k] = 0;
    return margins;
  }
  std::vector<double> transposed(const std::vector<double>& margins) const {
    const model::Shape& shape = problem_.shape;
    std::vector<double> out(scale_.size(), 0.0), pull(shape.num_classes);
    problem_.x->visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j) {
        const double* own = margins.data() + j * shape.num_classes;
        if (problem_.weight(j) == 0 ||
            std::all_of(own, own + shape.num_classes, [](double m) { return m == 0; }))
          continue;
        const auto label = static_cast<std::size_t>(problem_.labels[j]);
        pull.assign(shape.num_classes, 0.0);
        for (std::size_t c = 0; c < pull.size(); ++c) {
          if (c == label) continue;
          pull[c] -= own[c];
          pull[label] += own[c];
        }
        const auto row = rows.row(j);
        for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
          const double r = pull[static_cast<std::size_t>(shape.class_of(v))];
          if (r == 0) continue;
          for (std::size_t k = 0; k < row.size(); ++k) out[shape.index(row.ids[k], v)] += row.value(k) * r;
          if (shape.has_intercept) out[shape.intercept_index(v)] += r;
        }
      }
    });
    for (std::size_t i = 0; i < out.size(); ++i) out[i] *= scale_[i];
    return out;
  }

 private:
  const Problem& problem_;
  std::vector<std::uint8_t> taken_;  // by row and class
  math::Vector scale_;
};

// The part of z along which the margins taken are 0: z minus the least squares solution of the rest, found by conjugate
// gradients on its normal equations.
void into_null_space(const SomeMargins& margins, std::vector<double>& z,
                     const std::function<bool()>& interrupted) {
  constexpr int most = 400;
  constexpr double enough = 1e-13;
  std::vector<double> residual = margins.product(z);
  const double size = std::sqrt(dot(z, z));
  std::vector<double> slope = margins.transposed(residual), search = slope;
  double rho = dot(slope, slope);
  for (int k = 0; k < most && std::sqrt(rho) > enough * size; ++k) {
    if (interrupted && interrupted()) return;
    const std::vector<double> along = margins.product(search);
    const double curvature = dot(along, along);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] -= alpha * search[i];
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= alpha * along[i];
    slope = margins.transposed(residual);
    const double next = dot(slope, slope);
    for (std::size_t i = 0; i < search.size(); ++i) search[i] = slope[i] + next / rho * search[i];
    rho = next;
  }
}

}  // namespace

std::optional<Separation> quasi_separation_by_passes(const Problem& problem,
                                                     std::span<const std::uint8_t> free,
                                                     const math::Vector& candidate,
                                                     const std::function<bool()>& interrupted) {
  constexpr double most_margins = 1e8;
  if (static_cast<double>(problem.x->num_rows()) * static_cast<double>(problem.shape.num_classes) >
      most_margins)
    return std::nullopt;
  SomeMargins margins(problem, free);
  const std::vector<double> now = margins.all(candidate);
  double largest = 0;
  for (const double margin : now)
    if (std::isfinite(margin)) largest = std::max(largest, margin);
  if (!(largest > 0)) return std::nullopt;
  std::size_t before = 0;
  for (const double fraction : {1e-4, 1e-2, 0.1, 0.3}) {
    const auto taken = static_cast<std::size_t>(
        std::count_if(now.begin(), now.end(), [&](double m) { return m <= fraction * largest; }));
    if (taken == before && before > 0) continue;  // nothing new
    before = taken;
    margins.take(now, fraction * largest);
    std::vector<double> z(candidate.size(), 0.0);
    for (std::size_t i = 0; i < z.size(); ++i)
      if (margins.scale()[i] > 0) z[i] = candidate[i] / margins.scale()[i];
    into_null_space(margins, z, interrupted);
    if (interrupted && interrupted()) return std::nullopt;
    // What is rounding must be 0: in rows that no other coordinate touches it would be all there is to judge.
    double most = 0;
    for (const double x : z) most = std::max(most, std::abs(x));
    math::Vector direction(z.size(), 0.0);
    for (std::size_t i = 0; i < z.size(); ++i)
      if (std::abs(z[i]) > 1e-10 * most) direction[i] = margins.scale()[i] * z[i];
    if (auto found = verified(problem, normalized(direction))) return found;
  }
  return std::nullopt;
}

std::optional<Separation> verified(const Problem& problem, math::Vector direction, MarginBounds bounds) {
  Separation separation{true, std::move(direction)};
  double highest = 0, largest_size = 0;
  bool valid = true;
  for_each_margin(problem, separation.direction, [&](std::size_t, std::size_t, double margin, double size) {
    largest_size = std::max(largest_size, size);
    valid = valid && margin >= -bounds.negative * size;
    if (margin <= 1e-6 * size) separation.complete = false;
    if (margin > bounds.positive * size) highest = std::max(highest, margin);
  });
  if (!valid || !(highest > 1e-10 * largest_size)) return std::nullopt;
  return separation;
}

}  // namespace lazylogit::objective
