// Small random training problems that own their data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::test {

// One prior of every family.
inline const std::vector<prior::AnyPrior>& priors() {
  static const std::vector<prior::AnyPrior> list{prior::Uniform{}, prior::Gaussian::from_variance(0.4),
                                                 prior::Laplace::from_variance(0.6),
                                                 prior::Cauchy::from_scale(0.7), prior::ElasticNet{0.5, 1.5}};
  return list;
}

inline const model::Shape two_classes{.num_classes = 2, .reference = ClassId{0}};

enum class ValueKind { ones, floats, doubles };

struct SparseProblemOptions {
  std::size_t num_rows = 40;
  std::size_t num_features = 15;
  double density = 0.25;
  model::Shape shape = {};  // num_features is filled in
  ValueKind values = ValueKind::doubles;
  bool weights = false;
  bool offsets = false;
  std::uint64_t seed = 1;
};

struct SparseProblem {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  std::vector<double> weights, offsets, targets;
  data::LabelSets label_sets;
  std::optional<prior::PriorTable> prior;
  objective::Problem problem;
};

// The prior is shared by all but the intercept; see scatter_prior for one per coordinate.
inline std::unique_ptr<SparseProblem> make_sparse_problem(const SparseProblemOptions& options,
                                                          const prior::AnyPrior& prior) {
  auto p = std::make_unique<SparseProblem>();
  Random random(options.seed);
  Buffer<float> floats;
  Buffer<double> doubles;
  model::Shape shape = options.shape;
  shape.num_features = options.num_features;
  for (std::size_t r = 0; r < options.num_rows; ++r) {
    for (std::size_t f = 0; f < options.num_features; ++f)
      if (random.uniform() < options.density) {
        const auto value = static_cast<float>(random.normal());
        p->x.ids.push_back(static_cast<FeatureId>(f));
        floats.push_back(value);
        doubles.push_back(static_cast<double>(value));
      }
    p->x.row_offsets.push_back(p->x.ids.size());
    p->labels.push_back(static_cast<ClassId>(random.below(shape.num_classes)));
    if (options.weights) p->weights.push_back(r % 7 == 3 ? 0.0 : 0.25 + random.uniform());
    if (options.offsets) p->offsets.push_back(random.normal());
  }
  if (shape.response == data::Response::number)
    for (std::size_t r = 0; r < options.num_rows; ++r) p->targets.push_back(3 + 2 * random.normal());
  if (shape.response == data::Response::labels)
    for (std::size_t r = 0; r < options.num_rows; ++r) {
      std::vector<ClassId> own;
      for (std::size_t c = 0; c < shape.num_classes; ++c)
        if (random.uniform() < 0.4) own.push_back(static_cast<ClassId>(c));
      p->label_sets.push_back(own);
    }
  if (options.values == ValueKind::floats) p->x.values = std::move(floats);
  if (options.values == ValueKind::doubles) p->x.values = std::move(doubles);
  p->x.num_features = options.num_features;
  p->prior.emplace(prior, shape.num_features * shape.stride(), shape.size());
  p->problem = {.x = &p->x,
                .labels = p->labels,
                .targets = p->targets,
                .label_sets = &p->label_sets,
                .weights = p->weights,
                .offsets = p->offsets,
                .shape = shape,
                .prior = &*p->prior};
  return p;
}

// A prior of the same family, `factor` times as strong (0: free).
inline prior::AnyPrior scaled_prior(prior::AnyPrior prior, double factor) {
  std::visit(
      [&]<class P>(P& p) {
        if constexpr (std::is_same_v<P, prior::Gaussian>) p.precision *= factor;
        if constexpr (std::is_same_v<P, prior::Laplace>) p.l1 *= factor;
        if constexpr (std::is_same_v<P, prior::Cauchy>) p.inverse_square *= factor;
        if constexpr (std::is_same_v<P, prior::ElasticNet>) p.l1 *= factor, p.l2 *= factor;
      },
      prior);
  return prior;
}

// Turns a shared prior into one per coordinate: strengths from 0 to 4 times, means, some pinned.
inline void scatter_prior(SparseProblem& p, std::uint64_t seed) {
  Random random(seed);
  const prior::AnyPrior base = p.prior->shared_prior();
  const model::Shape& shape = p.problem.shape;
  p.prior->make_per_coordinate();
  for (std::size_t f = 0; f < shape.num_features; ++f)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const std::uint64_t kind = random.below(8);
      const double factor = kind == 0 ? 0.0 : 4 * random.uniform();
      const double mean = kind < 3 ? 0.0 : 0.3 * random.normal();
      p.prior->set(shape.index(f, v), scaled_prior(base, factor), mean, kind == 7);
    }
}

// Where training starts: the prior means.
inline std::vector<double> prior_means(const SparseProblem& p) {
  std::vector<double> start(p.problem.shape.size());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = p.prior->mean(i);
  return start;
}

inline std::vector<std::uint64_t> positive_rows(const SparseProblem& p) {
  std::vector<std::uint64_t> rows;
  for (std::size_t r = 0; r < p.labels.size(); ++r)
    if (p.problem.weight(r) > 0) rows.push_back(r);
  return rows;
}

}  // namespace lazylogit::test
