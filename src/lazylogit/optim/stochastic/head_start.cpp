#include "lazylogit/optim/stochastic/head_start.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/row_source.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/sample_loss.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t stretch = 4096;

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
  Attempt(const FitRequest& request, std::uint64_t epochs) : request_(request), epochs_(epochs) {
    shuffle(0);
    sample_.assign(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(num_sampled(rows_.size())));
  }

  HeadStart operator()() {
    HeadStart result{.coefficients = {request_.start.begin(), request_.start.end()}};
    if (rows_.empty()) return result;
    const auto n = static_cast<double>(rows_.size());
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
      if (epoch > 0) shuffle(epoch);
      for (std::size_t from = 0; from < rows_.size(); from += stretch, done += stretch) {
        const std::size_t count = std::min(stretch, rows_.size() - from);
        learner->learn({rows_.data() + from, count}, schedule, {epoch, epoch * rows_.size() + from}, 1);
        if (interrupted()) return result;
        // An eighth of an epoch tells whether the rows are of one scale; if not, the rest would be lost.
        if (epoch == 0 && from < rows_.size() / 8 && from + stretch >= rows_.size() / 8) {
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
  // Rows of positive weight in the order of an epoch: short runs of neighbours, which lie together in memory, in random
  // order.
  void shuffle(std::uint64_t epoch) {
    constexpr std::size_t run = 16;
    const objective::Problem& problem = request_.problem;
    const std::size_t all = problem.x->num_rows();
    std::vector<std::size_t> runs((all + run - 1) / run);
    std::iota(runs.begin(), runs.end(), std::size_t{0});
    Random(epoch + 1).shuffle(std::span(runs));
    rows_.clear();
    for (const std::size_t k : runs)
      for (std::size_t r = run * k; r < std::min(all, run * (k + 1)); ++r)
        if (problem.weight(r) > 0) rows_.push_back(r);
  }

  // Of all rows, as far as the sample tells. NaN compares as worse.
  double sampled_error(std::span<const double> b) const {
    const double share = static_cast<double>(rows_.size()) / static_cast<double>(sample_.size());
    return share * summed_loss(request_.problem, sample_, b) + request_.problem.prior->penalty(b.data());
  }
  bool interrupted() const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    return request_.cancel.cancelled() || (request_.max_seconds && seconds >= *request_.max_seconds);
  }

  const FitRequest& request_;
  std::uint64_t epochs_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::vector<std::uint64_t> rows_, sample_;
};

}  // namespace

HeadStart find_head_start(const FitRequest& request, std::uint64_t epochs) {
  return Attempt(request, epochs)();
}

FitSummary run_from_head_start(const OptimizerEntry& optimizer, const FitRequest& request,
                               std::uint64_t epochs) {
  const data::RowSource* source = request.problem.x->source.get();
  if (source != nullptr && !source->random_access() && (optimizer.stochastic || epochs > 0)) {
    const data::SparseMatrix rows = data::stored(*request.problem.x);  // for examples in any order
    FitRequest of_rows = request;
    of_rows.problem.x = &rows;
    return run_from_head_start(optimizer, of_rows, epochs);
  }
  if (epochs == 0) return optimizer.run(request);
  const auto began = std::chrono::steady_clock::now();
  const HeadStart head = find_head_start(request, epochs);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  FitRequest rest = request;
  rest.start = head.coefficients;
  if (request.max_seconds) rest.max_seconds = std::max(1e-3, *request.max_seconds - seconds);
  FitSummary fit = optimizer.run(rest);
  for (PassReport& report : fit.trace) {
    report.pass += head.epochs;
    report.seconds += seconds;
  }
  fit.passes += head.epochs;
  return fit;
}

}  // namespace lazylogit::optim
