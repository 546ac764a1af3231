// An epoch of lazy stochastic training against the best bare dot-and-update loop over the same data, types
// and order; and epochs in shards, with the loss of their model on other rows.
// Usage: sgd_epoch_bench [section...] with sections text, classes, growth, shards (all by default).
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string_view>

#include "bare_loops.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/sharded_learner.hpp"
#include "stopwatch.hpp"
#include "text_like_data.hpp"

namespace {

using namespace lazylogit;
using namespace lazylogit::bench;
using optim::PriorStep;
using optim::StochasticSettings;

struct Contestant {
  const char* name;
  prior::AnyPrior prior;
  StochasticSettings settings = {};
  double target = 0;
};

struct Timing {
  Best epoch, catch_up;
};

// One epoch after a warm-up that fills the coefficients.
class Epochs {
 public:
  Epochs(const TextLikeData& data, model::Shape shape, const Contestant& contestant)
      : contestant_(contestant),
        shape_(shape),
        prior_(contestant.prior, shape.num_features * shape.stride(), shape.size()),
        rows_(data.labels.size()),
        coefficients_(shape.size(), 0.0) {
    std::iota(rows_.begin(), rows_.end(), 0);
    problem_ = {
        .x = &data.x, .labels = data.labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &prior_};
    learner_ =
        optim::make_learner(problem_, contestant.settings, static_cast<double>(rows_.size()), coefficients_);
  }
  // `epochs` in a row: the second one finds in the caches what the first one left there.
  void run(Timing& timing, int epochs = 1) {
    const optim::Schedule schedule{.kind = optim::ScheduleKind::constant, .rate = 0.5};
    for (int i = 0; i < epochs; ++i)
      timing.epoch.add(
          seconds_of([&] { learner_->learn(rows_, schedule, {}, contestant_.settings.batch_size); }));
    timing.catch_up.add(seconds_of([&] { learner_->finish(coefficients_); }));
  }

 private:
  Contestant contestant_;
  model::Shape shape_;
  prior::PriorTable prior_;
  std::vector<std::uint64_t> rows_;
  math::Vector coefficients_;
  objective::Problem problem_;
  std::unique_ptr<optim::Learner> learner_;
};

std::vector<Contestant> contestants() {
  return {{"gaussian, one scale", prior::Gaussian::from_variance(1), {}, 60},
          {"laplace", prior::Laplace::from_variance(1), {}, 45},
          {"elastic net", prior::ElasticNet{0.5, 0.5}, {}, 45},
          {"cauchy", prior::Cauchy::from_scale(2.5), {}, 25}};
}

Rows rows_of(const TextLikeData& data) {
  return data.x.visit_rows([&](const auto& view) -> Rows {
    if constexpr (std::is_same_v<std::decay_t<decltype(view)>, Rows>) return view;
    return {};
  });
}

double best_bare_loop(const Rows& rows, std::size_t features, int rounds, bool print, double nonzeros) {
  math::Vector b(features, 1e-3);
  double best = 1e300;
  for (const BareLoop& loop : bare_loops()) {
    Best time;
    for (int i = 0; i < rounds; ++i) time.add(seconds_of([&] { loop.pass(rows, b.data()); }));
    if (print)
      std::printf("  bare loop, %-34s %7.0f M non-zeros/s\n", loop.name.c_str(),
                  nonzeros / time.seconds() / 1e6);
    best = std::min(best, time.seconds());
  }
  return best;
}

void text(std::size_t num_rows) {
  const TextLikeData data = make_text_like({.num_rows = num_rows});
  const auto nonzeros = static_cast<double>(data.x.num_nonzeros());
  const model::Shape shape{.num_features = data.x.num_features, .num_classes = 2, .reference = ClassId{0}};
  std::printf(
      "one vector: %zu rows, %.1f M non-zeros, %zu features (Zipf), float data, double coefficients\n",
      num_rows, nonzeros / 1e6, data.x.num_features);
  const auto list = contestants();
  std::vector<std::unique_ptr<Epochs>> epochs;
  for (const Contestant& c : list) epochs.push_back(std::make_unique<Epochs>(data, shape, c));
  std::vector<Timing> timings(list.size());
  Best bare;
  for (int round = 0; round < 5; ++round) {
    bare.add(best_bare_loop(rows_of(data), shape.num_features, 2, round == 4, nonzeros));
    for (std::size_t i = 0; i < list.size(); ++i) epochs[i]->run(timings[i]);
  }
  for (std::size_t i = 0; i < list.size(); ++i)
    std::printf(
        "  %-22s %7.0f M non-zeros/s  %5.1f %% of the bare loop (aim %2.0f %%); full catch-up %.2f ms\n",
        list[i].name, nonzeros / timings[i].epoch.seconds() / 1e6,
        100 * bare.seconds() / timings[i].epoch.seconds(), list[i].target,
        1e3 * timings[i].catch_up.seconds());
}

void classes(std::size_t num_rows) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx512f")) {
    std::printf("20 vectors: not measured, the limit loop needs AVX-512\n");
    return;
  }
  const TextLikeData data =
      make_text_like({.num_rows = num_rows, .per_row = 80, .num_features = 62061, .num_classes = 20});
  const auto nonzeros = static_cast<double>(data.x.num_nonzeros());
  const model::Shape shape{.num_features = data.x.num_features, .num_classes = 20, .reference = {}};
  std::printf("20 vectors: %zu rows, %.1f M non-zeros, %zu features (Zipf)\n", num_rows, nonzeros / 1e6,
              data.x.num_features);
  math::Vector b(shape.num_features * 24, 1e-3);
  const auto list = contestants();
  std::vector<std::unique_ptr<Epochs>> epochs;
  for (const Contestant& c : list) epochs.push_back(std::make_unique<Epochs>(data, shape, c));
  std::vector<Timing> timings(list.size());
  Best bare;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 2; ++i) bare.add(seconds_of([&] { wide_pass<3>(rows_of(data), b.data()); }));
    for (std::size_t i = 0; i < list.size(); ++i) epochs[i]->run(timings[i]);
  }
  std::printf("  limit loop, padded and prefetched: %.0f M non-zeros/s\n", nonzeros / bare.seconds() / 1e6);
  for (std::size_t i = 0; i < list.size(); ++i)
    std::printf(
        "  %-22s %7.0f M non-zeros/s  %5.1f %% of the limit loop (aim 50 %%); full catch-up %.2f ms\n",
        list[i].name, nonzeros / timings[i].epoch.seconds() / 1e6,
        100 * bare.seconds() / timings[i].epoch.seconds(), 1e3 * timings[i].catch_up.seconds());
#endif
}

// The best pass of the best of these loops. `in_turn` passes of each one in a row: all but the first find in the caches
// what fits there.
void add_best(const std::vector<BareLoop>& loops, const Rows& rows, math::Vector& b, int in_turn,
              Best& best) {
  for (const BareLoop& loop : loops)
    for (int i = 0; i < in_turn; ++i) best.add(seconds_of([&] { loop.pass(rows, b.data()); }));
}

// A few examples, extrapolated: every one of them touches every coefficient.
double dense_epoch(const model::Shape& shape, std::size_t num_rows) {
  const TextLikeData few =
      make_text_like({.num_rows = 20, .per_row = 40, .num_features = shape.num_features, .zipf = false});
  Contestant dense = contestants()[0];
  dense.settings.prior_every = 1;
  Epochs epochs(few, shape, dense);
  Timing timing;
  for (int round = 0; round < 3; ++round) epochs.run(timing);
  return timing.epoch.seconds() * static_cast<double>(num_rows) / 20;
}

// The same number of non-zeros over more and more features. Loops and epochs take turns, and each has as many passes in
// a row as the others: at a million features the coefficients, but not the records, fit a large cache.
void growth() {
  constexpr std::size_t num_rows = 50000;
  constexpr int rounds = 5, in_turn = 4;
  std::printf("growing number of features, 40 non-zeros a row, uniform ids (times of one epoch in ms)\n");
  std::printf("  in brackets: multiples of the bare loop, and of the same loop over records with a clock\n");
  for (const std::size_t features : {100000u, 1000000u, 10000000u, 100000000u}) {
    const TextLikeData data =
        make_text_like({.num_rows = num_rows, .per_row = 40, .num_features = features, .zipf = false});
    const model::Shape shape{.num_features = features, .num_classes = 2, .reference = ClassId{0}};
    math::Vector b(features, 1e-3), records(2 * features, 1e-3);
    std::printf("  %9zu features:", features);
    std::string catch_ups;
    for (const Contestant& c : {contestants()[0], contestants()[1], contestants()[3]}) {
      const bool clocked = !std::holds_alternative<prior::Gaussian>(c.prior);
      Epochs epochs(data, shape, c);
      Best bare, with_clocks;
      Timing timing;
      for (int round = 0; round < rounds; ++round) {
        add_best(bare_loops(), rows_of(data), b, in_turn, bare);
        if (clocked) add_best(record_loops(), rows_of(data), records, in_turn, with_clocks);
        epochs.run(timing, in_turn);
      }
      const double time = timing.epoch.seconds();
      std::printf("  %s %.1f (%.2f of %.1f", c.name, 1e3 * time, time / bare.seconds(), 1e3 * bare.seconds());
      if (clocked) std::printf(", %.2f of %.1f", time / with_clocks.seconds(), 1e3 * with_clocks.seconds());
      std::printf(")");
      catch_ups += (catch_ups.empty() ? "" : ", ") + std::to_string(1e3 * timing.catch_up.seconds());
    }
    if (features <= 1000000) std::printf("  dense updates %.0f", 1e3 * dense_epoch(shape, num_rows));
    std::printf("\n%22s full catch-up: %s\n", "", catch_ups.c_str());
  }
}

// Mean log loss of the rows from `first` on.
double held_out_loss(const TextLikeData& data, std::size_t first, const math::Vector& b) {
  double loss = 0;
  data.x.visit_rows([&](const auto& view) {
    for (std::size_t r = first; r < data.labels.size(); ++r) {
      const auto row = view.row(r);
      double score = b[data.x.num_features];
      for (std::size_t k = 0; k < row.size(); ++k) score += row.value(k) * b[row.ids[k]];
      const double margin = data.labels[r] == 1 ? score : -score;
      loss += std::log1p(std::exp(-std::abs(margin))) + std::max(0.0, -margin);
    }
  });
  return loss / static_cast<double>(data.labels.size() - first);
}

// Epochs of a gaussian prior in S shards on two threads; the last tenth of the rows is held out.
void shards(std::size_t num_rows) {
  const TextLikeData data = make_text_like({.num_rows = num_rows});
  const model::Shape shape{.num_features = data.x.num_features, .num_classes = 2, .reference = ClassId{0}};
  const prior::PriorTable prior(prior::Gaussian::from_variance(1), shape.num_features * shape.stride(),
                                shape.size());
  const objective::Problem problem{
      .x = &data.x, .labels = data.labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &prior};
  const std::size_t learned = num_rows / 10 * 9;
  std::vector<std::uint64_t> rows(learned);
  std::iota(rows.begin(), rows.end(), 0);
  const auto nonzeros = static_cast<double>(data.x.row_offsets[learned]);
  std::printf("shards on %zu threads: %zu rows, %.1f M non-zeros, %zu features (Zipf), one gaussian prior\n",
              current_threads(), learned, nonzeros / 1e6, data.x.num_features);
  constexpr int epochs = 5;
  const std::size_t counts[] = {1, 2, 4, 8};
  Best best[4];
  double first_loss[4] = {}, last_loss[4] = {};
  for (int round = 0; round < 3; ++round)
    for (std::size_t i = 0; i < 4; ++i) {
      StochasticSettings settings;
      settings.shards = counts[i];
      settings.shuffle = false;  // as a cache is read, from front to back
      math::Vector b(shape.size(), 0.0);
      optim::ShardedLearner learner(problem, settings, rows, b);
      const optim::Schedule schedule{.kind = optim::ScheduleKind::inverse, .rate = 0.5};
      for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
        best[i].add(seconds_of([&] {
          learner.learn_epoch(schedule, epoch, [] { return false; });
          learner.finish(b);
        }));
        if (epoch == 0) first_loss[i] = held_out_loss(data, learned, b);
      }
      last_loss[i] = held_out_loss(data, learned, b);
    }
  for (std::size_t i = 0; i < 4; ++i)
    std::printf(
        "  %zu shard%s %7.0f M non-zeros/s with merging (aim 500 with two or more); held-out log loss %.5f "
        "after 1 epoch, %.5f after %d\n",
        counts[i], counts[i] == 1 ? ", " : "s,", nonzeros / best[i].seconds() / 1e6, first_loss[i],
        last_loss[i], epochs);
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](std::string_view section) {
    for (int i = 1; i < argc; ++i)
      if (section == argv[i]) return true;
    return argc == 1;
  };
  if (wanted("text")) text(100000);
  if (wanted("classes")) classes(16000);
  if (wanted("growth")) growth();
  if (wanted("shards")) shards(400000);
  return 0;
}
