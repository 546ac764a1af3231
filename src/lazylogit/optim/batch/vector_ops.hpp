// Sums and updates of parameter vectors, in parallel for long ones; sums are added block by block in order.
#pragma once

#include <span>

namespace lazylogit::optim {

double dot(std::span<const double> a, std::span<const double> b);
double max_abs(std::span<const double> a);
void add_scaled(double scale, std::span<const double> x, std::span<double> y);  // y += scale·x

}  // namespace lazylogit::optim
