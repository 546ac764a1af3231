#include "lazylogit/model/chain_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "lazylogit/math/normal_quantile.hpp"

namespace lazylogit::model {
namespace {

// Normal scores of the ranks; equals share the mean of theirs.
std::vector<double> normal_scores(std::span<const float> draws) {
  std::vector<std::size_t> order(draws.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return draws[a] != draws[b] ? draws[a] < draws[b] : a < b; });
  std::vector<double> scores(draws.size());
  const auto n = static_cast<double>(draws.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && draws[order[last]] == draws[order[first]]) ++last;
    const double rank = 0.5 * static_cast<double>(first + last + 1);  // from 1, ties averaged
    const double score = math::normal_quantile((rank - 0.375) / (n + 0.25));
    for (std::size_t k = first; k < last; ++k) scores[order[k]] = score;
    first = last;
  }
  return scores;
}

}  // namespace

ChainDiagnostics diagnose_chains(std::span<const float> draws, std::size_t chains) {
  ChainDiagnostics result;
  result.ess = static_cast<double>(draws.size());
  if (chains == 0 || draws.size() < 4 * chains) return result;
  const std::vector<double> scores = normal_scores(draws);
  const std::size_t per_chain = draws.size() / chains, length = per_chain / 2, halves = 2 * chains;
  const auto n = static_cast<double>(length), m = static_cast<double>(halves);
  // The halves; the middle draw of an odd chain is left out.
  std::vector<const double*> half;
  for (std::size_t c = 0; c < chains; ++c) {
    half.push_back(scores.data() + c * per_chain);
    half.push_back(scores.data() + (c + 1) * per_chain - length);
  }
  std::vector<double> mean(halves);
  double grand = 0, within = 0;
  for (std::size_t h = 0; h < halves; ++h) {
    mean[h] = std::accumulate(half[h], half[h] + length, 0.0) / n;
    grand += mean[h] / m;
    double squares = 0;
    for (std::size_t i = 0; i < length; ++i) squares += (half[h][i] - mean[h]) * (half[h][i] - mean[h]);
    within += squares / (n - 1) / m;
  }
  double between = 0;  // variance of the means
  for (const double value : mean) between += (value - grand) * (value - grand) / (m - 1);
  if (!(within > 1e-20)) {  // halves that do not move: all the same, or stuck in different places
    if (between > 1e-20) result.rhat = HUGE_VAL, result.ess = m;
    return result;
  }
  const double pooled = (n - 1) / n * within + between;
  result.rhat = std::sqrt(pooled / within);

  const auto autocorrelation = [&](std::size_t lag) {
    double covariance = 0;
    for (std::size_t h = 0; h < halves; ++h) {
      double sum = 0;
      for (std::size_t i = 0; i + lag < length; ++i)
        sum += (half[h][i] - mean[h]) * (half[h][i + lag] - mean[h]);
      covariance += sum / n / m;
    }
    return 1 - (within - covariance * n / (n - 1)) / pooled;
  };
  double sum = 0, before = HUGE_VAL;
  for (std::size_t lag = 0; lag + 1 < length; lag += 2) {
    const double pair = std::min(before, (lag == 0 ? 1.0 : autocorrelation(lag)) + autocorrelation(lag + 1));
    if (!(pair > 0)) break;
    sum += pair;
    before = pair;
  }
  const double total = n * m;
  // Draws that avoid each other are worth more than independent ones; no more than this is believed.
  result.ess = total / std::max(2 * sum - 1, 1 / std::log10(total));
  return result;
}

}  // namespace lazylogit::model
