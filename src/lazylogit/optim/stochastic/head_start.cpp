#include "lazylogit/optim/stochastic/head_start.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "lazylogit/data/row_source.hpp"
#include "lazylogit/objective/merged_rows.hpp"
#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/shifted_fit.hpp"
#include "lazylogit/optim/stochastic/dual_ascent.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/row_order.hpp"
#include "lazylogit/optim/stochastic/sample_loss.hpp"
#include "lazylogit/optim/stochastic/stretch.hpp"

namespace lazylogit::optim {
namespace {

// Rows whose loss stands for that of all: an eighth of them, within limits.
std::size_t num_sampled(std::size_t rows) {
  return std::min(rows, std::clamp<std::size_t>(rows / 8, 500, 4000));
}

double mean_squared_length(const objective::Problem& problem, std::span<const std::uint64_t> rows) {
  RowBuffer row(problem);
  double sum = 0;
  for (const std::uint64_t r : rows) {
    row.load(r);
    for (std::size_t k = 0; k < row.size(); ++k) sum += problem.weight(r) * row.value(k) * row.value(k);
  }
  return sum / static_cast<double>(rows.size());
}

// The curvature of the prior where one is shared by all coefficients, else 0.
double shared_curvature(const prior::PriorTable& prior) {
  return prior.shared() ? std::visit([](const auto& p) { return p.curvature(1.0); }, prior.shared_prior())
                        : 0.0;
}

class Attempt {
 public:
  Attempt(const FitRequest& request, std::uint64_t epochs)
      : request_(request), clock_(request), epochs_(epochs), order_(request.problem) {
    order_.shuffle(0);
    const std::span<const std::uint64_t> rows = order_.rows();
    sample_.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(num_sampled(rows.size())));
  }

  HeadStart operator()() {
    HeadStart result{.coefficients = {request_.start.begin(), request_.start.end()}};
    std::span<const std::uint64_t> rows = order_.rows();
    if (rows.empty()) return result;
    const auto n = static_cast<double>(rows.size());
    // One over the largest curvature of a row's loss: a quarter of its length squared, or all of it.
    const double bound = request_.problem.shape.response == data::Response::number ? 1.0 : 0.25;
    const double length = mean_squared_length(request_.problem, sample_), rate = 1 / (bound * length);
    if (!(length > 0) || !std::isfinite(rate)) return result;
    const double curvature = std::max(0.0, shared_curvature(*request_.problem.prior));
    const Schedule schedule{.kind = ScheduleKind::inverse,
                            .per = DecayPer::example,
                            .rate = rate,
                            .anneal = n * std::min(0.25, 1 / (curvature * rate))};
    const auto learner = make_learner(request_.problem, {}, n, request_.start);
    math::Vector learned(result.coefficients);
    const double before = sampled_error(result.coefficients);
    std::size_t done = 0;
    for (std::uint64_t epoch = 0; epoch < epochs_; ++epoch) {
      if (epoch > 0) order_.shuffle(epoch);
      rows = order_.rows();
      for (std::size_t from = 0; from < rows.size(); from += rows_per_stretch, done += rows_per_stretch) {
        const std::size_t count = std::min(rows_per_stretch, rows.size() - from);
        learner->learn({rows.data() + from, count}, schedule, {epoch, epoch * rows.size() + from}, 1);
        if (clock_.interrupted()) return result;
        // An eighth of an epoch tells whether the rows are of one scale; if not, the rest would be lost.
        if (epoch == 0 && from < rows.size() / 8 && from + rows_per_stretch >= rows.size() / 8) {
          learner->finish(learned);
          if (!(sampled_error(learned) < before)) return result;
        }
      }
    }
    learner->finish(learned);
    if (sampled_error(learned) < 0.9 * before) {
      result.coefficients = std::move(learned);
      result.epochs = epochs_;
    }
    return result;
  }

 private:
  // Of all rows, as far as the sample tells. NaN compares as worse.
  double sampled_error(std::span<const double> b) const {
    const double share = static_cast<double>(order_.rows().size()) / static_cast<double>(sample_.size());
    return share * summed_loss(request_.problem, sample_, b) + request_.problem.prior->penalty(b.data());
  }

  const FitRequest& request_;
  FitClock clock_;
  std::uint64_t epochs_;
  RowOrder order_;
  std::vector<std::uint64_t> sample_;
};

}  // namespace

HeadStart find_head_start(const FitRequest& request, std::uint64_t epochs) {
  return Attempt(request, epochs)();
}

HeadStart find_dual_start(const FitRequest& request, std::uint64_t epochs) {
  DualAscent ascent = ascend_dual(request, epochs);
  if (ascent.epochs == 0) return {{request.start.begin(), request.start.end()}, 0};
  return {std::move(ascent.coefficients), ascent.epochs};
}

namespace {

// Exact optimizers see rows that are alike only once.
FitSummary run_merged(const OptimizerEntry& optimizer, const FitRequest& request, const FitClock& clock) {
  FitRequest last = request;
  if (optimizer.stochastic) {
    last.before = clock.spent(request.before.passes);
    return optimizer.run(last);
  }
  const auto merged = objective::MergedRows::of(request.problem);
  if (merged) last.problem = merged->problem();
  last.before = clock.spent(request.before.passes);
  return run_shifted(optimizer.run, last);
}

}  // namespace

FitSummary run_from_head_start(const OptimizerEntry& optimizer, const FitRequest& request,
                               std::uint64_t epochs, Ahead kind) {
  const FitClock clock(request);
  const data::RowSource* source = request.problem.x->source.get();
  if (source != nullptr && !source->random_access() && (optimizer.stochastic || epochs > 0)) {
    const data::SparseMatrix rows = data::stored(*request.problem.x);  // for examples in any order
    FitRequest of_rows = request;
    of_rows.problem.x = &rows;
    of_rows.before = clock.spent(request.before.passes);
    return run_from_head_start(optimizer, of_rows, epochs, kind);
  }
  if (request.max_passes) epochs = std::min(epochs, *request.max_passes - 1);
  if (epochs == 0) return run_merged(optimizer, request, clock);
  HeadStart head =
      kind == Ahead::dual_ascent ? find_dual_start(request, epochs) : find_head_start(request, epochs);
  FitRequest rest = request;
  rest.start = head.coefficients;
  rest.own_start = &head.coefficients;
  rest.before.passes += head.epochs;
  if (request.max_passes) rest.max_passes = *request.max_passes - head.epochs;
  return run_merged(optimizer, rest, clock);
}

}  // namespace lazylogit::optim
