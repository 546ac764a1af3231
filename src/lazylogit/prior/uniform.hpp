// The uniform (improper) prior: no pull at all. Counts as density 1.
#pragma once

namespace lazylogit::prior {

struct Uniform {
  static constexpr const char* name = "uniform";
  static constexpr bool convex = true;
  double value(double) const noexcept { return 0; }
  double normaliser() const noexcept { return 0; }
  double gradient(double) const noexcept { return 0; }
  double curvature(double) const noexcept { return 0; }
  double slope() const noexcept { return 0; }
  double prox(double b, double) const noexcept { return b; }
  double flow(double b, double) const noexcept { return b; }
  double flow_integral(double b, double s) const noexcept { return b * s; }
};

}  // namespace lazylogit::prior
