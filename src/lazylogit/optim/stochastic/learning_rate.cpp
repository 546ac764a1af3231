#include "lazylogit/optim/stochastic/learning_rate.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/choice_residuals.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/sample_loss.hpp"

namespace lazylogit::optim {
namespace {

// A twentieth of the examples, within limits: a small sample favours rates that are too large for a long epoch.
constexpr std::size_t least_sample = 2000, largest_sample = 20000;

double mean_squared_example_length(const objective::Problem& problem, std::span<const std::uint64_t> rows) {
  RowBuffer row(problem);
  double sum = 0;
  for (const std::uint64_t r : rows) {
    double length = 0;
    for (std::size_t j = r; j < example_end(problem, r); ++j) {
      row.load(j);
      for (std::size_t k = 0; k < row.size(); ++k) length += row.value(k) * row.value(k);
    }
    sum += problem.weight(r) * length;
  }
  return sum / static_cast<double>(rows.size());
}

class Trial {
 public:
  Trial(const objective::Problem& problem, const StochasticSettings& settings,
        std::span<const std::uint64_t> rows, std::size_t num_examples, std::span<const double> start)
      : problem_(problem),
        settings_(settings),
        rows_(rows),
        num_examples_(static_cast<double>(num_examples)),
        start_(start),
        coefficients_(start.size()) {
    settings_.average = false;
    settings_.prior_every = 0;  // the same place to rounding, and quicker
  }

  // The error on the sample after learning it; the prior counts in proportion to the sample. Small data are learned
  // several times, as the fit itself will do: one pass over 100 examples says little about a good rate.
  double operator()(double rate) {
    const auto learner = make_learner(problem_, settings_, num_examples_, start_);
    const Schedule schedule = settings_.make_schedule(rate, num_examples_);
    const std::uint64_t epochs = std::clamp<std::uint64_t>(
        least_sample / rows_.size(), 1, std::max<std::uint64_t>(1, settings_.epochs.value_or(20)));
    for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
      learner->learn(rows_, schedule, {epoch, epoch * rows_.size()}, settings_.batch_size);
      learner->finish(coefficients_);
    }
    const double error =
        summed_loss(problem_, rows_, coefficients_) +
        problem_.prior->penalty(coefficients_.data()) * static_cast<double>(rows_.size()) / num_examples_;
    return std::isfinite(error) ? error : HUGE_VAL;
  }

 private:
  objective::Problem problem_;
  StochasticSettings settings_;
  std::span<const std::uint64_t> rows_;
  double num_examples_;
  std::span<const double> start_;
  math::Vector coefficients_;
};

}  // namespace

double choose_learning_rate(const objective::Problem& problem, const StochasticSettings& settings,
                            std::span<const std::uint64_t> rows, std::span<const double> start) {
  std::vector<std::uint64_t> sample(rows.begin(), rows.end());
  Random random(settings.seed ^ 0x5bd1e995u);
  random.shuffle(std::span(sample));
  sample.resize(std::min(sample.size(), std::clamp(sample.size() / 20, least_sample, largest_sample)));
  const double length = mean_squared_example_length(problem, sample);
  const double unit = std::visit(
      [&](const auto& rule) { return rule.first_rate(length > 0 && std::isfinite(length) ? length : 1.0); },
      settings.rule);

  Trial trial(problem, settings, sample, rows.size(), start);
  double best_rate = unit, best_error = trial(unit);
  const auto walk = [&](double factor) {
    double rate = best_rate;
    for (int worse = 0, tries = 0; worse < 2 && tries < 40; ++tries) {
      rate *= factor;
      const double error = trial(rate);
      if (error < best_error) {
        best_error = error;
        best_rate = rate;
        worse = 0;
      } else {
        ++worse;
      }
    }
  };
  walk(2.0);
  if (best_rate == unit) walk(0.5);
  return best_rate;
}

}  // namespace lazylogit::optim
