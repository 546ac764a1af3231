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
constexpr std::size_t least_of_class = 4;
// Beyond these steps of usual examples move scores by hundreds.
constexpr double most_units = 256;
constexpr double flat = 1e-3;

// The rows that are tried, and the weights of all rows where those of some classes are not what they would be by chance.
struct Sample {
  std::vector<std::uint64_t> rows;
  std::vector<double> weights = {};  // empty: the problem's own
};

std::vector<std::size_t> count_classes(const objective::Problem& problem,
                                       std::span<const std::uint64_t> rows) {
  std::vector<std::size_t> counts(problem.shape.num_classes, 0);
  for (const std::uint64_t r : rows) ++counts[static_cast<std::size_t>(problem.labels[r])];
  return counts;
}

// `rows` in random order. A rare class would be missing by chance, and without it any rate looks good: the sample takes some
// of every class, whose weights make up for their number.
Sample take_sample(const objective::Problem& problem, std::span<const std::uint64_t> rows, std::size_t size) {
  Sample sample{{rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(size)}};
  if (problem.shape.response != data::Response::classes || !problem.choice_ends.empty()) return sample;
  const std::vector<std::size_t> by_chance = count_classes(problem, sample.rows);
  std::vector<std::size_t> taken = by_chance;
  for (const std::uint64_t r : rows.subspan(size)) {
    std::size_t& count = taken[static_cast<std::size_t>(problem.labels[r])];
    if (count >= least_of_class) continue;
    ++count;
    sample.rows.push_back(r);
  }
  if (sample.rows.size() == size) return sample;
  const std::vector<std::size_t> all = count_classes(problem, rows);
  const double share = static_cast<double>(size) / static_cast<double>(rows.size());
  sample.weights.assign(problem.x->num_rows(), 0.0);
  for (const std::uint64_t r : sample.rows) {
    const auto c = static_cast<std::size_t>(problem.labels[r]);
    const double factor =
        taken[c] > by_chance[c] ? share * static_cast<double>(all[c]) / static_cast<double>(taken[c]) : 1.0;
    sample.weights[r] = problem.weight(r) * factor;
  }
  return sample;
}

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
  std::vector<std::uint64_t> order(rows.begin(), rows.end());
  Random random(settings.seed ^ 0x5bd1e995u);
  random.shuffle(std::span(order));
  const std::size_t size =
      std::min(order.size(), std::clamp(order.size() / 20, least_sample, largest_sample));
  const double length = mean_squared_example_length(problem, std::span(order).first(size));
  Sample sample = take_sample(problem, order, size);
  objective::Problem tried = problem;
  if (!sample.weights.empty()) {
    tried.weights = sample.weights;
    random.shuffle(std::span(sample.rows));  // rows of rare classes stand at the end
  }
  const double unit = std::visit(
      [&](const auto& rule) { return rule.first_rate(length > 0 && std::isfinite(length) ? length : 1.0); },
      settings.rule);

  Trial trial(tried, settings, sample.rows, rows.size(), start);
  double best_rate = unit, best_error = trial(unit);
  const auto walk = [&](double factor) {
    double rate = best_rate;
    for (int worse = 0, tries = 0; worse < 2 && tries < 40; ++tries) {
      rate *= factor;
      if (rate > most_units * unit) return;
      const double error = trial(rate);
      worse = error < best_error - flat * std::abs(best_error) ? 0 : worse + 1;
      if (error < best_error) {
        best_error = error;
        best_rate = rate;
      }
    }
  };
  walk(2.0);
  if (best_rate == unit) walk(0.5);
  return best_rate;
}

}  // namespace lazylogit::optim
