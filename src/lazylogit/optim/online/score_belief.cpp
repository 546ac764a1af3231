#include "lazylogit/optim/online/score_belief.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace lazylogit::optim {
namespace {

double log_sigmoid(double z) noexcept {
  return z > 0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z));
}

// σ(z) ≈ Φ(z/c), c² = 8/π: everything in closed form.
ScoreMoments probit_moments(double mean, double variance) {
  const double spread = std::sqrt(variance + 8 / std::numbers::pi), k = mean / spread;
  const double density = std::exp(-0.5 * k * k) / std::sqrt(2 * std::numbers::pi);
  const double p = 0.5 * std::erfc(-k / std::numbers::sqrt2);
  // φ/Φ without 0/0 far out.
  const double ratio = k < -30 ? -k : density / p;
  const double slope = ratio / spread, curvature = slope * (slope + k / spread);
  return {k < -30 ? -0.5 * k * k - std::log(-k) - 0.5 * std::log(2 * std::numbers::pi) : std::log(p),
          mean + variance * slope, variance - variance * variance * curvature};
}

}  // namespace

ScoreMoments logistic_moments(double mean, double variance, double weight) {
  const double deviation = std::sqrt(variance);
  if (deviation > 50) return probit_moments(mean, variance);
  if (!(variance > 0)) return {log_sigmoid(mean), mean, 0};
  const double step = std::min(0.5 * deviation, 0.8);
  const auto half = static_cast<int>(std::ceil(9 * deviation / step));
  // Around the mode of belief and likelihood, which lies between the mean and mean + w · variance; beyond it the product
  // falls at least as fast as the belief.
  double mode = mean;
  for (int i = 0; i < 50; ++i) {
    const double p = 1 / (1 + std::exp(mode));
    const double next =
        mode - ((mode - mean) / variance - weight * p) / (1 / variance + weight * p * (1 - p));
    if (std::abs(next - mode) < 1e-6 * (1 + deviation)) break;
    mode = next;
  }
  const double top = weight * log_sigmoid(mode) - 0.5 * (mode - mean) * (mode - mean) / variance;
  double total = 0, first = 0, second = 0, predictive = 0, plain = 0;
  for (int i = -half; i <= half; ++i) {
    const double z = mode + i * step, d = z - mode, from_mean = z - mean;
    const double belief = -0.5 * from_mean * from_mean / variance, likelihood = log_sigmoid(z);
    const double density = std::exp(belief + weight * likelihood - top);
    total += density;
    first += density * d;
    second += density * d * d;
    if (weight != 1) predictive += std::exp(belief + likelihood), plain += std::exp(belief);
  }
  const double shift = first / total;
  const double log_predictive =
      weight == 1 ? top + std::log(total * step / std::sqrt(2 * std::numbers::pi * variance))
                  : std::log(predictive / plain);
  return {std::min(log_predictive, 0.0), mode + shift, std::min(second / total - shift * shift, variance)};
}

double softmax_moments(std::ptrdiff_t label, bool reference, double weight, std::span<double> means,
                       std::span<double> variances) {
  const std::size_t k = means.size();
  std::vector<double> a(means.begin(), means.end()), p(k), gradient(k), inverse(k);
  const auto probabilities = [&](const std::vector<double>& scores) {
    const double top = std::max(reference ? 0.0 : -HUGE_VAL, *std::max_element(scores.begin(), scores.end()));
    double sum = reference ? std::exp(-top) : 0.0;
    for (std::size_t c = 0; c < k; ++c) sum += p[c] = std::exp(scores[c] - top);
    for (double& x : p) x /= sum;
    return std::exp(-top) / sum;  // of the reference
  };
  std::vector<double> shrunk(k);
  for (std::size_t c = 0; c < k; ++c)
    shrunk[c] = means[c] / std::sqrt(1 + std::numbers::pi * variances[c] / 8);
  const double of_reference = probabilities(shrunk);
  const double log_predictive =
      std::log(std::max(label < 0 ? of_reference : p[static_cast<std::size_t>(label)], 1e-300));
  // −log(belief · likelihood) at scores a.
  const auto value = [&](const std::vector<double>& scores) {
    const double top = std::max(reference ? 0.0 : -HUGE_VAL, *std::max_element(scores.begin(), scores.end()));
    double sum = reference ? std::exp(-top) : 0.0, total = 0;
    for (std::size_t c = 0; c < k; ++c) {
      sum += std::exp(scores[c] - top);
      total += 0.5 * (scores[c] - means[c]) * (scores[c] - means[c]) / variances[c];
    }
    return total +
           weight * (top + std::log(sum) - (label < 0 ? 0.0 : scores[static_cast<std::size_t>(label)]));
  };
  double now = value(a);
  for (int i = 0; i < 50; ++i) {
    probabilities(a);
    double dot = 0, scale = 0;
    for (std::size_t c = 0; c < k; ++c) {
      gradient[c] = (a[c] - means[c]) / variances[c] +
                    weight * (p[c] - (static_cast<std::ptrdiff_t>(c) == label ? 1 : 0));
      inverse[c] = 1 / (1 / variances[c] + weight * p[c]);
      dot += inverse[c] * p[c] * gradient[c];
      scale += inverse[c] * p[c] * p[c];
    }
    const double factor = weight * dot / (1 - weight * scale);
    double largest = 0;
    std::vector<double> step(k), next(k);
    for (std::size_t c = 0; c < k; ++c) {
      step[c] = inverse[c] * (gradient[c] + factor * p[c]);
      largest = std::max(largest, std::abs(step[c]));
    }
    double length = 1;
    for (int halvings = 0;; ++halvings, length /= 2) {
      for (std::size_t c = 0; c < k; ++c) next[c] = a[c] - length * step[c];
      const double then = value(next);
      if (then <= now || halvings == 30) {
        now = then;
        break;
      }
    }
    a = next;
    if (largest * length < 1e-10) break;
  }
  probabilities(a);
  double scale = 0;
  for (std::size_t c = 0; c < k; ++c) {
    inverse[c] = 1 / (1 / variances[c] + weight * p[c]);
    scale += inverse[c] * p[c] * p[c];
  }
  for (std::size_t c = 0; c < k; ++c) {
    means[c] = a[c];
    const double bent = inverse[c] * p[c];
    variances[c] = std::min(variances[c], inverse[c] + weight * bent * bent / (1 - weight * scale));
  }
  return log_predictive;
}

}  // namespace lazylogit::optim
