#include "lazylogit/optim/stochastic/sharded_learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/optim/stochastic/choice_residuals.hpp"
#include "lazylogit/optim/stochastic/sample_loss.hpp"
#include "lazylogit/optim/stochastic/stretch.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t dealt_together = 1024;

}  // namespace

ShardedLearner::ShardedLearner(const objective::Problem& problem, const StochasticSettings& settings,
                               std::vector<std::uint64_t> rows, std::span<const double> start)
    : problem_(&problem), settings_(&settings), num_examples_(static_cast<double>(rows.size())) {
  deal(std::move(rows));
  if (shards_.size() > 1) weigh();
  restart(start);
}

void ShardedLearner::deal(std::vector<std::uint64_t> rows) {
  const std::size_t count = std::min<std::size_t>(settings_->shards, std::max<std::size_t>(rows.size(), 1));
  if (count == 1) {
    shards_.push_back({Random(settings_->seed), std::move(rows)});
    return;
  }
  Random random(settings_->seed);
  if (settings_->shuffle) random.shuffle(std::span(rows));
  for (std::size_t s = 0; s < count; ++s) shards_.push_back({Random(random.next()), {}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    shards_[(settings_->shuffle || rows.size() < count * dealt_together ? i : i / dealt_together) % count]
        .rows.push_back(rows[i]);
}

// What share of Σ w x² the shard has that has most of it, feature by feature.
void ShardedLearner::weigh() {
  const model::Shape& shape = problem_->shape;
  std::vector<std::vector<double>> own(shards_.size());
  parallel_blocks(shards_.size(), [&](std::size_t s) {
    std::vector<double>& sums = own[s];
    sums.assign(shape.num_rows(), 0.0);
    problem_->x->visit_rows([&](const auto& view) {
      for (const std::uint64_t first : shards_[s].rows) {
        const double weight = problem_->weight(first);
        for (std::uint64_t r = first; r < example_end(*problem_, first); ++r) {
          const auto row = view.row(r);
          for (std::size_t k = 0; k < row.size(); ++k)
            sums[row.ids[k]] += weight * row.value(k) * row.value(k);
          if (shape.has_intercept) sums[shape.num_features] += weight;
        }
      }
    });
  });
  squares_.assign(shape.num_rows(), 0.0);
  shares_.assign(shape.num_rows(), 0.0);
  for (const std::vector<double>& one : own)
    for (std::size_t f = 0; f < one.size(); ++f) {
      squares_[f] += one[f];
      shares_[f] = std::max(shares_[f], one[f]);
    }
  const double equal = 1 / static_cast<double>(shards_.size());
  for (std::size_t f = 0; f < squares_.size(); ++f) {
    const bool known = squares_[f] > 0 && std::isfinite(squares_[f]);
    shares_[f] = known ? shares_[f] / squares_[f] : equal;
    if (!known) squares_[f] = 0;
  }
}

void ShardedLearner::restart(std::span<const double> start) {
  for (Shard& shard : shards_) shard.learner = make_learner(*problem_, *settings_, num_examples_, start);
  if (shards_.size() > 1) start_.assign(start.begin(), start.end());
}

ShardedLearner::Outcome ShardedLearner::learn_epoch(const Schedule& schedule, std::uint64_t epoch,
                                                    const std::function<bool()>& stop) {
  const auto examples = static_cast<std::uint64_t>(num_examples_);
  pace_ = schedule.at(epoch, epoch * examples + examples / 2) / static_cast<double>(settings_->batch_size);
  parallel_blocks(shards_.size(), [&](std::size_t s) { learn(shards_[s], schedule, epoch, stop); });
  Outcome all;
  for (const Shard& shard : shards_) {
    all.loss += shard.outcome.loss;
    all.examples += shard.outcome.examples;
    all.complete = all.complete && shard.outcome.complete;
  }
  return all;
}

void ShardedLearner::learn(Shard& shard, const Schedule& schedule, std::uint64_t epoch,
                           const std::function<bool()>& stop) {
  std::vector<std::uint64_t>& rows = shard.rows;
  if (settings_->shuffle) shard.random.shuffle(std::span(rows));
  // Whole mini-batches, so that stretches do not change them.
  const std::uint64_t batch = settings_->batch_size;
  const std::size_t step =
      static_cast<std::size_t>(batch * std::max<std::uint64_t>(1, rows_per_stretch / batch));
  const auto examples = static_cast<std::uint64_t>(num_examples_);
  Outcome& outcome = shard.outcome = {};
  outcome.complete = rows.empty();
  for (std::size_t from = 0; from < rows.size(); from += step) {
    const std::size_t count = std::min(step, rows.size() - from);
    // The others have learned as many: a rate that falls with examples falls as it does in one shard.
    const Position at{epoch, epoch * examples + from * shards_.size()};
    outcome.loss += shard.learner->learn({rows.data() + from, count}, schedule, at, batch);
    outcome.examples += count;
    outcome.complete = from + count == rows.size();
    if (!std::isfinite(outcome.loss)) break;
    if (!outcome.complete && stop()) break;
  }
}

void ShardedLearner::finish(std::span<double> coefficients) {
  if (shards_.size() == 1) return shards_.front().learner->finish(coefficients);
  parallel_blocks(shards_.size(), [&](std::size_t s) {
    shards_[s].coefficients.resize(coefficients.size());
    shards_[s].learner->finish(shards_[s].coefficients);
  });
  merge(coefficients);
  parallel_blocks(shards_.size(), [&](std::size_t s) {
    shards_[s].learner = make_learner(*problem_, *settings_, num_examples_, coefficients);
  });
  start_.assign(coefficients.begin(), coefficients.end());
}

void ShardedLearner::merge(std::span<double> coefficients) const {
  merge(coefficients, 0);
  // Rules of their own have their own lengths of steps, which say nothing of how far a coefficient has come.
  if (!std::holds_alternative<PlainRule>(settings_->rule)) return;
  math::Vector bold(coefficients.size());
  merge(bold, pace_ * (problem_->shape.response == data::Response::number ? 1 : 0.25));
  const std::vector<std::uint64_t> rows = sample();
  if (summed_loss(*problem_, rows, bold) < summed_loss(*problem_, rows, coefficients))
    std::copy(bold.begin(), bold.end(), coefficients.begin());
}

void ShardedLearner::merge(std::span<double> coefficients, double pace) const {
  constexpr std::size_t rows_per_block = 4096;
  const model::Shape& shape = problem_->shape;
  parallel_blocks(num_blocks_of(shape.num_rows(), rows_per_block), [&](std::size_t block) {
    const std::size_t last = std::min(shape.num_rows(), (block + 1) * rows_per_block);
    for (std::size_t f = block * rows_per_block; f < last; ++f) {
      const double settled = pace * squares_[f];
      const double factor = pace > 0 ? (1 + settled * shares_[f]) / (1 + settled) : shares_[f];
      for (std::size_t c = 0; c < shape.stride(); ++c) {
        const std::size_t i = shape.index(f, c);
        const double first = shards_.front().coefficients[i];
        double change = 0;
        bool agreed = true;
        for (const Shard& shard : shards_) {
          change += shard.coefficients[i] - start_[i];
          agreed = agreed && shard.coefficients[i] == first;
        }
        coefficients[i] = agreed ? first : start_[i] + factor * change;
      }
    }
  });
}

// Some examples of each shard.
std::vector<std::uint64_t> ShardedLearner::sample() const {
  constexpr std::size_t most = 4096;
  std::vector<std::uint64_t> rows;
  for (const Shard& shard : shards_) {
    const std::size_t count = std::min(shard.rows.size(), std::max<std::size_t>(1, most / shards_.size()));
    rows.insert(rows.end(), shard.rows.begin(), shard.rows.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return rows;
}

}  // namespace lazylogit::optim
