// Hamiltonian Monte Carlo that chooses its own path lengths and step size (the no-U-turn sampler with multinomial
// weights along the path; Hoffman and Gelman 2014, Betancourt 2017), for any density given by −log and its gradient.
//
// Coordinates are expected to be of unit scale and nearly uncorrelated: callers whiten (bayes/whitened_error.hpp). The
// step size is adapted during warm-up by dual averaging towards an acceptance of 0.8 and fixed afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::bayes {

// −log density (up to a constant) at z; overwrites the gradient.
using NegativeLogDensity = std::function<double(std::span<const double> z, std::span<double> gradient)>;

class NoUTurnSampler {
 public:
  NoUTurnSampler(NegativeLogDensity density, std::vector<double> start, std::uint64_t seed);

  void step(bool adapt);
  void end_adaptation();
  const std::vector<double>& state() const noexcept { return current_.z; }
  std::uint64_t divergences() const noexcept { return divergences_; }
  double step_size() const noexcept { return step_size_; }

 private:
  struct Point {
    std::vector<double> z, momentum, gradient;
    double energy = 0;  // potential
  };
  // A stretch of the path: its ends, the sum of its momenta, one point of it drawn by weight.
  struct Tree;

  void leapfrog(Point& point, double step) const;
  double hamiltonian(const Point& point) const;
  Tree build(const Point& from, double direction, int depth);
  void find_first_step_size();
  void adapt_step_size(double acceptance);

  NegativeLogDensity density_;
  Random random_;
  Point current_;
  double initial_ = 0;  // Hamiltonian at the start of the path
  double acceptance_sum_ = 0;
  std::uint64_t acceptance_count_ = 0, divergences_ = 0;
  bool diverged_ = false;
  double step_size_ = 1, center_ = 0, error_sum_ = 0, log_mean_ = 0;
  std::uint64_t adapted_ = 0;
};

}  // namespace lazylogit::bayes
