#include "lazylogit/bayes/nuts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lazylogit::bayes {
namespace {

constexpr int max_depth = 10;
constexpr double target_acceptance = 0.8;
constexpr double largest_energy_error = 1000;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  const double high = std::max(a, b);
  return std::isinf(high) ? high : high + std::log1p(std::exp(std::min(a, b) - high));
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> added(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
  return sum;
}

// Whether both ends still move apart along the summed momentum.
bool goes_on(const std::vector<double>& sum, const std::vector<double>& first,
             const std::vector<double>& last) {
  return dot(sum, first) > 0 && dot(sum, last) > 0;
}

}  // namespace

struct NoUTurnSampler::Tree {
  Point left, right, drawn;
  std::vector<double> momentum;        // summed over the stretch
  double log_weight = minus_infinity;  // of all its points
  bool valid = false;                  // neither diverged nor turned
};

NoUTurnSampler::NoUTurnSampler(NegativeLogDensity density, std::vector<double> start, std::uint64_t seed)
    : density_(std::move(density)), random_(seed) {
  current_.z = std::move(start);
  current_.momentum.resize(current_.z.size());
  current_.gradient.resize(current_.z.size());
  current_.energy = density_(current_.z, current_.gradient);
  find_first_step_size();
}

void NoUTurnSampler::leapfrog(Point& point, double step) const {
  for (std::size_t i = 0; i < point.z.size(); ++i) {
    point.momentum[i] -= 0.5 * step * point.gradient[i];
    point.z[i] += step * point.momentum[i];
  }
  point.energy = density_(point.z, point.gradient);
  for (std::size_t i = 0; i < point.z.size(); ++i) point.momentum[i] -= 0.5 * step * point.gradient[i];
}

double NoUTurnSampler::hamiltonian(const Point& point) const {
  const double h = point.energy + 0.5 * dot(point.momentum, point.momentum);
  return std::isnan(h) ? std::numeric_limits<double>::infinity() : h;
}

// Doubles or halves until one step's acceptance crosses the target.
void NoUTurnSampler::find_first_step_size() {
  for (double& p : current_.momentum) p = random_.normal();
  const double before = hamiltonian(current_);
  double direction = 0;
  for (int k = 0; k < 50; ++k) {
    Point trial = current_;
    leapfrog(trial, step_size_);
    const double change = before - hamiltonian(trial);
    const double way = change > std::log(target_acceptance) ? 1.0 : -1.0;
    if (direction == 0) direction = way;
    if (way != direction) break;
    step_size_ *= way > 0 ? 2.0 : 0.5;
  }
  center_ = std::log(10 * step_size_);
  log_mean_ = std::log(step_size_);
}

NoUTurnSampler::Tree NoUTurnSampler::build(const Point& from, double direction, int depth) {
  if (depth == 0) {
    Tree leaf;
    leaf.left = from;
    leapfrog(leaf.left, direction * step_size_);
    const double change = initial_ - hamiltonian(leaf.left);  // log weight
    acceptance_sum_ += std::isnan(change) ? 0.0 : std::min(1.0, std::exp(change));
    ++acceptance_count_;
    leaf.valid = change > -largest_energy_error;
    diverged_ = diverged_ || !leaf.valid;
    leaf.log_weight = change;
    leaf.momentum = leaf.left.momentum;
    leaf.right = leaf.drawn = leaf.left;
    return leaf;
  }
  Tree first = build(from, direction, depth - 1);
  if (!first.valid) return first;
  Tree second = build(direction > 0 ? first.right : first.left, direction, depth - 1);
  if (!second.valid) {
    first.valid = false;
    return first;
  }
  Tree& left = direction > 0 ? first : second;
  Tree& right = direction > 0 ? second : first;
  Tree whole;
  whole.log_weight = log_add(first.log_weight, second.log_weight);
  const bool take_second = std::log1p(-random_.uniform()) < second.log_weight - whole.log_weight;
  whole.drawn = std::move(take_second ? second.drawn : first.drawn);
  whole.momentum = added(left.momentum, right.momentum);
  // The whole, and each half joined to the nearest point of the other.
  whole.valid =
      goes_on(whole.momentum, left.left.momentum, right.right.momentum) &&
      goes_on(added(left.momentum, right.left.momentum), left.left.momentum, right.left.momentum) &&
      goes_on(added(left.right.momentum, right.momentum), left.right.momentum, right.right.momentum);
  whole.left = std::move(left.left);
  whole.right = std::move(right.right);
  return whole;
}

void NoUTurnSampler::step(bool adapt) {
  for (double& p : current_.momentum) p = random_.normal();
  initial_ = hamiltonian(current_);
  acceptance_sum_ = 0;
  acceptance_count_ = 0;
  diverged_ = false;
  Tree path;
  path.left = path.right = current_;
  path.momentum = current_.momentum;
  path.log_weight = 0;
  for (int depth = 0; depth < max_depth; ++depth) {
    const double direction = random_.uniform() < 0.5 ? -1.0 : 1.0;
    Tree more = build(direction > 0 ? path.right : path.left, direction, depth);
    if (!more.valid) break;
    // Later stretches are preferred: they are farther away.
    if (std::log1p(-random_.uniform()) < more.log_weight - path.log_weight) current_ = more.drawn;
    path.log_weight = log_add(path.log_weight, more.log_weight);
    const bool forward = direction > 0;
    const std::vector<double> old_momentum = std::move(path.momentum);
    const Point near_old = forward ? path.right : path.left;
    const Point& near_new = forward ? more.left : more.right;
    const Point& far_old = forward ? path.left : path.right;
    const Point& far_new = forward ? more.right : more.left;
    path.momentum = added(old_momentum, more.momentum);
    const bool on = goes_on(path.momentum, far_old.momentum, far_new.momentum) &&
                    goes_on(added(old_momentum, near_new.momentum), far_old.momentum, near_new.momentum) &&
                    goes_on(added(near_old.momentum, more.momentum), near_old.momentum, far_new.momentum);
    (forward ? path.right : path.left) = far_new;
    if (!on) break;
  }
  if (diverged_ && !adapt) ++divergences_;
  if (adapt)
    adapt_step_size(acceptance_count_ > 0 ? acceptance_sum_ / static_cast<double>(acceptance_count_) : 0.0);
}

// Dual averaging (Nesterov) of the log step size.
void NoUTurnSampler::adapt_step_size(double acceptance) {
  constexpr double strength = 0.05, delay = 10, forgetting = 0.75;
  const double t = static_cast<double>(++adapted_);
  const double share = 1 / (t + delay);
  error_sum_ = (1 - share) * error_sum_ + share * (target_acceptance - acceptance);
  const double log_step = center_ - std::sqrt(t) / strength * error_sum_;
  const double weight = std::pow(t, -forgetting);
  log_mean_ = weight * log_step + (1 - weight) * log_mean_;
  step_size_ = std::exp(log_step);
}

void NoUTurnSampler::end_adaptation() {
  if (adapted_ > 0) step_size_ = std::exp(log_mean_);
}

}  // namespace lazylogit::bayes
