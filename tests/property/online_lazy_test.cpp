// Online learners against a slow reference: every coefficient regularized at every example, every score summed anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/optim/online/margin_flow.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/online/progressive_loss.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t num_features = 40;

struct Example {
  std::vector<FeatureId> ids;
  std::vector<double> values;
  ClassId label;
  double weight;
};

std::vector<Example> make_examples(std::size_t count, ClassId classes, std::uint64_t seed) {
  Random random(seed);
  std::vector<Example> examples(count);
  for (std::size_t j = 0; j < count; ++j) {
    Example& e = examples[j];
    for (FeatureId f = 0; f < num_features; ++f)
      if (random.uniform() < 3.0 / (2 + f)) {
        e.ids.push_back(f);
        e.values.push_back(std::exp(2 * random.normal()) * (f % 3 == 0 ? -1 : 1));
      }
    // The third class comes late, and each class keeps to its own features.
    const double limit = j < count / 3 ? 2 : static_cast<double>(classes);
    e.label = static_cast<ClassId>(random.uniform() * limit);
    if (j == 0) e.label = 0;
    if (j == 1) e.label = 1;
    if (classes > 2 && j == count / 3) e.label = 2;
    e.weight = j % 7 == 0 ? 2.5 : 1;
  }
  return examples;
}

data::Rows rows_of(const std::vector<Example>& examples) {
  data::Rows rows;
  Buffer<double> values;
  for (const Example& e : examples) {
    rows.x.ids.append({e.ids.data(), e.ids.size()});
    values.append({e.values.data(), e.values.size()});
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(e.label);
    rows.weights.push_back(e.weight);
  }
  rows.x.values = std::move(values);
  rows.x.num_features = num_features;
  return rows;
}

// The formulas of gradient_steps.hpp, densely and slowly.
class Reference {
 public:
  Reference(const prior::AnyPrior& prior, bool adaptive, const Schedule& schedule)
      : prior_(prior),
        adaptive_(adaptive),
        schedule_(schedule),
        b_(1, std::vector<double>(num_features + 1)),
        g_(b_),
        s_(num_features + 1) {}

  double learn(const Example& e, std::size_t num_classes) {
    if (num_classes > 2 && b_.size() < num_classes) widen(num_classes);
    std::vector<double> x(num_features + 1);
    for (std::size_t k = 0; k < e.ids.size(); ++k) x[e.ids[k]] = e.values[k];
    x[num_features] = 1;
    for (std::size_t f = 0; f <= num_features; ++f) {
      if (!adaptive_ || x[f] == 0) continue;
      if (std::abs(x[f]) > s_[f]) {
        for (std::size_t c = 0; c < b_.size() && s_[f] > 0; ++c) {
          b_[c][f] *= s_[f] / std::abs(x[f]);
          g_[c][f] *= s_[f] * s_[f] / (x[f] * x[f]);
        }
        s_[f] = std::abs(x[f]);
      }
      norm_ += x[f] * x[f] / (s_[f] * s_[f]);
    }
    std::vector<double> score(b_.size());
    for (std::size_t c = 0; c < b_.size(); ++c)
      for (std::size_t f = 0; f <= num_features; ++f) score[c] += x[f] * b_[c][f];
    std::vector<double> all = score;
    if (b_.size() == 1) all.insert(all.begin(), 0.0);
    const double highest = *std::max_element(all.begin(), all.end());
    double z = 0;
    for (double& a : all) z += std::exp(a -= highest);
    const auto label = static_cast<std::size_t>(e.label);
    const double p = std::exp(all[label]) / z;
    std::vector<double> residual;
    for (std::size_t c = b_.size() == 1 ? 1 : 0; c < all.size(); ++c)
      residual.push_back(std::exp(all[c]) / z - (c == label ? 1 : 0));
    examples_ += 1;
    const double rate = adaptive_ ? 0.8 * std::sqrt(examples_ / norm_)
                                  : schedule_.at(0, static_cast<std::uint64_t>(examples_ - 1));
    double move = 0;
    for (std::size_t c = 0; c < b_.size(); ++c) {
      double q = 0;
      for (std::size_t f = 0; f <= num_features; ++f) {
        if (x[f] == 0) continue;
        if (adaptive_) g_[c][f] += e.weight * residual[c] * residual[c] * x[f] * x[f] / (s_[f] * s_[f]);
        q += x[f] * x[f] * speed(c, f);
      }
      move += residual[c] * residual[c] / ((1 - p) * (1 - p)) * q;
    }
    const double margin = std::log(p / (1 - p));
    // Plain steps are the rate times the gradient, no shorter.
    const double shortened =
        adaptive_ ? margin_flow(margin, rate * e.weight * move) / ((1 - p) * move) : rate * e.weight;
    for (std::size_t c = 0; c < b_.size(); ++c)
      for (std::size_t f = 0; f <= num_features; ++f)
        if (x[f] != 0) b_[c][f] -= shortened * residual[c] * x[f] * speed(c, f);
    for (std::size_t c = 0; c < b_.size(); ++c)
      for (std::size_t f = 0; f < num_features; ++f)
        b_[c][f] = std::visit([&](const auto& r) { return r.flow(b_[c][f], speed(c, f) * rate / examples_); },
                              prior_);
    return std::log(z) - all[label];
  }
  double coefficient(std::size_t feature, std::size_t c) const { return b_[c][feature]; }

 private:
  double speed(std::size_t c, std::size_t f) const {
    if (!adaptive_) return 1;
    return s_[f] > 0 ? 1 / (std::sqrt(0.25 + g_[c][f]) * s_[f] * s_[f]) : 0;
  }
  void widen(std::size_t classes) {
    if (b_.size() == 1) {
      b_.insert(b_.begin(), b_[0]);
      g_.insert(g_.begin(), g_[0]);
      for (double& b : b_[0]) b /= -2;
      for (double& b : b_[1]) b /= 2;
    }
    b_.resize(classes, std::vector<double>(num_features + 1));
    g_.resize(classes, std::vector<double>(num_features + 1));
  }

  prior::AnyPrior prior_;
  bool adaptive_;
  Schedule schedule_;
  std::vector<std::vector<double>> b_, g_;
  std::vector<double> s_;
  double examples_ = 0, norm_ = 0;
};

OnlineSettings settings_for(const prior::AnyPrior& prior) {
  OnlineSettings settings{.prior = prior};
  settings.rate = std::nullopt;
  settings.schedule = {.kind = ScheduleKind::inverse, .per = DecayPer::example, .rate = 0.01, .anneal = 30};
  return settings;
}

const std::vector<prior::AnyPrior>& priors() {
  static const std::vector<prior::AnyPrior> list{prior::Gaussian::from_variance(0.3),
                                                 prior::Laplace::from_variance(0.5),
                                                 prior::Cauchy::from_scale(0.7), prior::ElasticNet{0.4, 0.9}};
  return list;
}

TEST(Online, LazyStepsAndProgressiveLossEqualADenseReference) {
  for (const char* name : {"adagrad", "sgd"})
    for (const prior::AnyPrior& prior : priors())
      for (const ClassId classes : {2, 4}) {
        const auto examples = make_examples(300, classes, 7);
        const OnlineSettings settings = settings_for(prior);
        const auto learner = find_online_learner(name)->make(settings);
        Reference reference(prior, std::string_view(name) == "adagrad", settings.schedule);
        ProgressiveLoss progressive(50);
        double sum = 0, weights = 0;
        std::vector<std::pair<double, double>> seen;
        std::size_t known = 0;
        for (const Example& e : examples) {
          known = std::max<std::size_t>(known, static_cast<std::size_t>(e.label) + 1);
          learner->grow(num_features, known);
          std::vector<RowOutcome> outcomes;
          const data::Rows rows = rows_of({e});
          learner->learn(rows, rows.weights.span(), 1, outcomes);
          const double expected = reference.learn(e, known);
          ASSERT_NEAR(outcomes.at(0).loss, expected, 1e-9 * (1 + expected))
              << name << ' ' << prior.index() << ' ' << classes << ' ' << seen.size();
          progressive.add(outcomes[0].loss, outcomes[0].correct, e.weight);
          sum += e.weight * expected;
          weights += e.weight;
          seen.emplace_back(e.weight * expected, e.weight);
        }
        EXPECT_NEAR(progressive.all().log_loss(), sum / weights, 1e-9);
        double recent = 0, recent_weights = 0;
        for (std::size_t i = seen.size() - 50; i < seen.size(); ++i) {
          recent += seen[i].first;
          recent_weights += seen[i].second;
        }
        EXPECT_NEAR(progressive.window().log_loss(), recent / recent_weights, 1e-9);
        std::vector<double> b(learner->num_vectors());
        ASSERT_EQ(b.size(), classes == 2 ? 1u : 4u);
        for (std::size_t f = 0; f <= num_features; ++f) {
          learner->coefficients(f, b.data());
          for (std::size_t c = 0; c < b.size(); ++c)
            EXPECT_NEAR(b[c], reference.coefficient(f, c), 1e-9 * (1 + std::abs(b[c]))) << name << " " << f;
        }
      }
}

TEST(Online, HashedFeaturesAreLearnedToTheSameBits) {
  for (const OnlineEntry& entry : online_learners()) {
    OnlineSettings settings = settings_for(prior::Gaussian::from_variance(0.3));
    settings.rate = 0.01;
    const auto examples = make_examples(200, 3, 11);
    const data::Rows rows = rows_of(examples);
    const auto named = entry.make(settings);
    settings.hashed = true;
    const auto hashed = entry.make(settings);
    std::vector<RowOutcome> outcomes[2];
    const std::size_t slots = 3 * num_features;
    for (const bool second : {false, true}) {
      OnlineLearner& learner = second ? *hashed : *named;
      learner.grow(slots, 2);
      learner.grow(slots, 3);  // a third class widens what little is known
      learner.learn(rows, rows.weights.span(), 1, outcomes[second ? 1 : 0]);
    }
    ASSERT_EQ(outcomes[0].size(), outcomes[1].size());
    for (std::size_t i = 0; i < outcomes[0].size(); ++i) ASSERT_EQ(outcomes[0][i].loss, outcomes[1][i].loss);
    std::vector<std::uint64_t> used(slots);
    used.resize(hashed->find_used(0, used));
    for (std::size_t f = 0; f <= slots; ++f) {
      std::vector<double> a(named->num_vectors()), b(hashed->num_vectors());
      named->coefficients(f, a.data());
      hashed->coefficients(f, b.data());
      ASSERT_EQ(a, b) << entry.name;
      const bool is_used = f == slots || std::binary_search(used.begin(), used.end(), f);
      for (std::size_t k = 0; k < named->record_width(); ++k) {
        ASSERT_EQ(std::as_const(*named).record(f)[k], std::as_const(*hashed).record(f)[k]) << entry.name;
        ASSERT_TRUE(is_used || std::as_const(*hashed).record(f)[k] == 0) << entry.name;
      }
    }
  }
}

TEST(Online, ARestoredStateGoesOnToTheBit) {
  for (const OnlineEntry& entry : online_learners()) {
    OnlineSettings settings = settings_for(prior::Gaussian::from_variance(0.3));
    settings.rate = 0.01;
    settings.forget = 0.999;
    const auto examples = make_examples(200, 3, 11);
    const data::Rows first = rows_of({examples.begin(), examples.begin() + 120});
    const data::Rows second = rows_of({examples.begin() + 120, examples.end()});
    const auto whole = entry.make(settings), early = entry.make(settings), late = entry.make(settings);
    std::vector<RowOutcome> ignored;
    for (const auto* learner : {&whole, &early}) {
      (*learner)->grow(num_features, 3);
      (*learner)->learn(first, first.weights.span(), 1, ignored);
    }
    late->grow(num_features, 3);
    ASSERT_EQ(late->record_width(), early->record_width());
    for (std::size_t f = 0; f <= num_features; ++f)
      std::copy_n(std::as_const(*early).record(f), early->record_width(), late->record(f));
    late->restore(early->scalars());
    whole->learn(second, second.weights.span(), 1, ignored);
    late->learn(second, second.weights.span(), 1, ignored);
    for (std::size_t f = 0; f <= num_features; ++f)
      for (std::size_t k = 0; k < whole->record_width(); ++k)
        ASSERT_EQ(std::as_const(*whole).record(f)[k], std::as_const(*late).record(f)[k]) << entry.name;
    EXPECT_EQ(whole->scalars(), late->scalars());
  }
}

TEST(MarginFlow, SolvesItsEquationAndIsShorterThanTheJump) {
  for (const double m : {-800.0, -20.0, -3.0, 0.0, 2.0, 15.0, 29.9, 30.1, 100.0})
    for (const double h : {0.0, 1e-12, 0.1, 1.0, 30.0, 1e6}) {
      const double d = margin_flow(m, h);
      EXPECT_GE(d, 0);
      EXPECT_LE(d, h / (1 + std::exp(m)) * (1 + 1e-12));
      if (m < 30) {
        EXPECT_NEAR(d + (d > 1 ? std::exp(m + d) - std::exp(m) : std::exp(m) * std::expm1(d)), h, 1e-10 * h);
      }
      // A weight of two is two equal examples.
      EXPECT_NEAR(margin_flow(m, 2 * h), d + margin_flow(m + d, h), 1e-9 * (d + 1e-300) + 1e-12 * d);
    }
}

}  // namespace
}  // namespace lazylogit::optim
