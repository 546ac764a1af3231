// The certified lower bound stays below the optimum where scores are sums of large terms that cancel: columns that are
// far from 0 against their spread, of any scale. Errors in long double are the judge: that of any point is above the
// optimum.
#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/score_rounding.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit {
namespace {

// Two classes, dense columns m + s z with m ten thousand times s, a free intercept.
struct FarColumns {
  static constexpr std::size_t num_features = 3;
  std::vector<double> values;
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  model::Shape shape{.num_features = num_features, .num_classes = 2, .reference = ClassId{0}};
  prior::PriorTable prior;

  FarColumns(std::uint64_t seed, const prior::AnyPrior& family)
      : prior(family, num_features * shape.stride(), shape.size()) {
    Random random(seed);
    double scale[num_features];
    for (double& s : scale) s = std::pow(10.0, -6 + 12 * random.uniform());
    x.num_features = num_features;
    for (std::size_t j = 0; j < 150; ++j) {
      double score = 0;
      for (std::size_t i = 0; i < num_features; ++i) {
        const double z = random.normal();
        x.ids.push_back(static_cast<FeatureId>(i));
        values.push_back(scale[i] * (1e4 + z));
        score += z;
      }
      x.row_offsets.push_back(x.ids.size());
      labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : 0);
    }
    Buffer<double> copy;
    for (const double value : values) copy.push_back(value);
    x.values = std::move(copy);
  }
  objective::Problem problem() const {
    return {.x = &x, .labels = labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &prior};
  }
  template <class Row>
  void for_scores(const math::Vector& b, const Row& row) const {
    for (std::size_t j = 0; j < labels.size(); ++j) {
      long double score = b[num_features], size = std::abs(b[num_features]);
      for (std::size_t i = 0; i < num_features; ++i) {
        const long double term = static_cast<long double>(values[j * num_features + i]) * b[i];
        score += term;
        size += std::abs(term);
      }
      row(labels[j] == 1 ? -score : score, size);
    }
  }
  long double exact_error(const math::Vector& b) const {
    long double sum = 0;
    for_scores(b, [&](long double s, long double) {
      sum += std::max(s, 0.0L) + std::log1p(std::exp(-std::abs(s)));
    });
    for (std::size_t i = 0; i < num_features; ++i)
      std::visit(
          [&]<class P>(const P& p) {
            const long double t = b[i];
            if constexpr (std::is_same_v<P, prior::Gaussian>) sum += p.precision * t * t / 2;
            if constexpr (std::is_same_v<P, prior::ElasticNet>) sum += p.l1 * std::abs(t) + p.l2 * t * t / 2;
          },
          prior.at(i));
    return sum;
  }
};

TEST(certificate, lower_bound_allows_for_the_rounding_of_scores) {
  int certified = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    for (const prior::AnyPrior& family :
         {prior::AnyPrior(prior::Gaussian{1}), prior::AnyPrior(prior::ElasticNet{0.5, 0.5}),
          prior::AnyPrior(prior::Uniform{})}) {
      const FarColumns data(seed, family);
      const objective::Problem problem = data.problem();
      const math::Vector start(data.shape.size(), 0.0);
      optim::FitRequest request;
      request.problem = problem;
      request.start = start;
      request.gap = 1e-12;
      request.max_passes = 200;
      const math::Vector best = optim::find_optimizer("newton").run(request).coefficients;
      Random random(seed);
      for (const double distance : {0.0, 1e-14, 1e-12, 1e-10}) {
        math::Vector b = best;
        for (double& value : b) value *= 1 + distance * random.normal();
        const model::Certificate certificate = objective::certify(problem, b);
        if (!certificate.lower_bound) continue;
        ++certified;
        const long double above = std::min(data.exact_error(best), data.exact_error(b));
        EXPECT_LE(*certificate.lower_bound, above * (1 + 1e-15L))
            << "seed " << seed << " prior " << family.index() << " distance " << distance;
      }
    }
  EXPECT_GT(certified, 300);
}

TEST(score_rounding, is_two_roundings_of_the_terms_times_the_residuals) {
  const FarColumns data(3, prior::Gaussian{1});
  math::Vector b(data.shape.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = 0.1 * static_cast<double>(i + 1) / (i < 3 ? data.values[i] : 1);
  long double expected = 0;
  data.for_scores(b, [&](long double s, long double size) { expected += size / (1 + std::exp(-s)); });
  const double rounding = objective::score_rounding(data.problem(), b);
  EXPECT_NEAR(rounding, static_cast<double>(0x1p-52L * expected), 1e-9 * rounding);
}

}  // namespace
}  // namespace lazylogit
