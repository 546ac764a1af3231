#include "lazylogit/bayes/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/math/normal_quantile.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/model/first_overflow.hpp"

namespace lazylogit::bayes {
namespace {

constexpr std::size_t rows_per_block = 256;

// A seed from the numbers of a row.
std::uint64_t row_seed(std::uint64_t seed, const double* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, numbers + i, sizeof bits);
    seed = (seed ^ bits) * 0x9e3779b97f4a7c15ULL;
    seed ^= seed >> 29;
  }
  return seed;
}

// Lower triangle L with L Lᵀ = a, columns of (numerically) no variance left out. Overwrites a's lower triangle.
void cholesky(std::vector<double>& a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = a[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= a[j * n + k] * a[j * n + k];
    const double root = pivot > 1e-14 * a[j * n + j] ? std::sqrt(pivot) : 0.0;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = root > 0 ? sum / root : 0.0;
    }
    a[j * n + j] = root;
  }
}

// out = (mean − top)/√(1 + π variance/8)
LAZYLOGIT_TARGET_CLONES
void moderate(const double* mean, double top, const double* variance, std::size_t count, double* out) {
  for (std::size_t c = 0; c < count; ++c)
    out[c] = (mean[c] - top) / std::sqrt(1 + std::numbers::pi / 8 * variance[c]);
}

// The α-quantile of values, which are reordered; linear between neighbours.
double quantile(std::vector<double>& values, double alpha) {
  const double place = alpha * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), values.begin() + below, values.end());
  const double low = values[static_cast<std::size_t>(below)];
  if (static_cast<std::size_t>(below) + 1 >= values.size()) return low;
  const double high = *std::min_element(values.begin() + below + 1, values.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

bool all_finite(const std::vector<double>& numbers) noexcept {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

struct PosteriorPredictor::Workspace {
  explicit Workspace(std::size_t classes)
      : covariance(classes * classes), p(classes), log_p(classes), row(classes), differences(classes) {}
  model::ScoreCovariance::Scratch scratch;
  std::vector<double> covariance;  // of the vectors, then of classes
  std::vector<double> p, log_p, row;
  std::vector<double> differences;    // probit: variances of score differences from the most probable class
  std::vector<double> factor, draws;  // monte-carlo, samples; draws: class by class
  std::vector<double> mean;           // samples: of the scores
};

PosteriorPredictor::PosteriorPredictor(const model::Predictor& predictor, const PredictiveSettings& settings)
    : predictor_(predictor),
      settings_(settings),
      quantile_(math::normal_quantile(0.5 + 0.5 * settings.level)) {
  const model::Model& model = predictor.model();
  if (model.posterior->kind == model::PosteriorKind::samples)
    samples_.emplace(model, settings.draws);
  else
    covariance_.emplace(model);
  if (model.posterior->kind == model::PosteriorKind::variational) {
    mean_model_.shape = model.shape;
    mean_model_.coefficients = model.posterior->mean;
  }
}

// Of the draws' scores.
void PosteriorPredictor::take_moments(Workspace& space) const {
  const std::size_t k = predictor_.num_classes(), draws = samples_->num_draws();
  space.mean.assign(k, 0.0);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t d = 0; d < draws; ++d) space.mean[c] += space.draws[c * draws + d];
    space.mean[c] /= static_cast<double>(draws);
  }
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (std::size_t d = 0; d < draws; ++d)
        sum += (space.draws[a * draws + d] - space.mean[a]) * (space.draws[b * draws + d] - space.mean[b]);
      space.covariance[a * k + b] = space.covariance[b * k + a] = sum / static_cast<double>(draws);
    }
}

// Turns the draws' scores into probabilities and takes their mean.
void PosteriorPredictor::average_draws(Workspace& space) const {
  const std::size_t k = predictor_.num_classes(), draws = samples_->num_draws();
  std::fill(space.p.begin(), space.p.end(), 0.0);
  for (std::size_t d = 0; d < draws; ++d) {
    for (std::size_t c = 0; c < k; ++c) space.row[c] = space.draws[c * draws + d];
    math::apply_softmax(space.row, math::ReferenceClass::absent);
    for (std::size_t c = 0; c < k; ++c) space.p[c] += space.draws[c * draws + d] = space.row[c];
  }
  for (std::size_t c = 0; c < k; ++c) {
    space.p[c] /= static_cast<double>(draws);
    space.log_p[c] = std::log(space.p[c]);
  }
}

void PosteriorPredictor::probit(const double* mean, Workspace& space) const {
  const std::size_t k = predictor_.num_classes();
  const auto top = static_cast<std::size_t>(std::max_element(mean, mean + k) - mean);
  if (!only_differences()) {
    const double* s = space.covariance.data();
    for (std::size_t c = 0; c < k; ++c)
      space.differences[c] = std::max(0.0, s[c * k + c] + s[top * k + top] - 2 * s[c * k + top]);
  }
  moderate(mean, mean[top], space.differences.data(), k, space.p.data());
  std::copy(space.p.begin(), space.p.end(), space.row.begin());
  const auto z = math::apply_softmax(space.p, math::ReferenceClass::absent);
  for (std::size_t c = 0; c < k; ++c) space.log_p[c] = z.log_probability(space.row[c]);
}

void PosteriorPredictor::monte_carlo(const double* mean, Workspace& space) const {
  const std::size_t k = predictor_.num_classes(), draws = settings_.draws + settings_.draws % 2;
  space.factor = space.covariance;
  cholesky(space.factor, k);
  space.draws.resize(draws * k);
  std::fill(space.p.begin(), space.p.end(), 0.0);
  Random random(row_seed(settings_.seed, mean, k));
  std::vector<double> z(k), step(k);
  for (std::size_t d = 0; d < draws; ++d) {
    if (d % 2 == 0) {  // draws come in pairs, μ ± step
      for (double& value : z) value = random.normal();
      for (std::size_t c = 0; c < k; ++c) {
        step[c] = 0;
        for (std::size_t j = 0; j <= c; ++j) step[c] += space.factor[c * k + j] * z[j];
      }
    }
    const double sign = d % 2 == 0 ? 1.0 : -1.0;
    for (std::size_t c = 0; c < k; ++c) space.row[c] = mean[c] + sign * step[c];
    math::apply_softmax(space.row, math::ReferenceClass::absent);
    for (std::size_t c = 0; c < k; ++c) {
      space.p[c] += space.row[c];
      space.draws[c * draws + d] = space.row[c];
    }
  }
  for (std::size_t c = 0; c < k; ++c) {
    space.p[c] /= static_cast<double>(draws);
    space.log_p[c] = std::log(space.p[c]);
  }
}

void PosteriorPredictor::probabilities(const double* optimum, const double* mean, Workspace& space) const {
  if (samples_) {
    if (settings_.form == PredictiveForm::probit) take_moments(space);
    // Also where another form follows: intervals are quantiles of the probabilities.
    if (settings_.form == PredictiveForm::monte_carlo || settings_.intervals) average_draws(space);
    mean = space.mean.data();
  }
  switch (settings_.form) {
    case PredictiveForm::probit:
      return probit(mean, space);
    case PredictiveForm::monte_carlo:
      if (!samples_) monte_carlo(mean, space);
      return;
    case PredictiveForm::plug_in:
      break;
  }
  std::copy(optimum, optimum + space.p.size(), space.p.begin());
  const auto z = math::apply_softmax(space.p, math::ReferenceClass::absent);
  for (std::size_t c = 0; c < space.p.size(); ++c) space.log_p[c] = z.log_probability(optimum[c]);
}

void PosteriorPredictor::bounds(const double* mean, std::size_t c, Workspace& space, double& lower,
                                double& upper) const {
  const std::size_t k = predictor_.num_classes();
  if (settings_.form == PredictiveForm::monte_carlo || samples_) {
    const std::size_t draws = space.draws.size() / k;
    std::vector<double> values(space.draws.begin() + static_cast<std::ptrdiff_t>(c * draws),
                               space.draws.begin() + static_cast<std::ptrdiff_t>((c + 1) * draws));
    lower = quantile(values, 0.5 - 0.5 * settings_.level);
    upper = quantile(values, 0.5 + 0.5 * settings_.level);
    return;
  }
  // The gradient of the log odds: 1 for c, −(softmax over the others) elsewhere.
  std::copy(mean, mean + k, space.row.begin());
  space.row[c] = -std::numeric_limits<double>::infinity();
  const auto others = math::apply_softmax(space.row, math::ReferenceClass::absent);
  const double odds = mean[c] - others.log_sum_exp();
  for (double& g : space.row) g = -g;
  space.row[c] = 1;
  double variance = 0;
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b) variance += space.row[a] * space.row[b] * space.covariance[a * k + b];
  const double reach = quantile_ * std::sqrt(std::max(0.0, variance));
  lower = math::sigmoid(odds - reach);
  upper = math::sigmoid(odds + reach);
}

void PosteriorPredictor::predict_row(const double* optimum, const double* mean, ClassId label, std::size_t at,
                                     Workspace& space, model::Predictions& out) const {
  const std::size_t k = predictor_.num_classes();
  const model::Shape& shape = predictor_.model().shape;
  const std::size_t vectors = shape.num_vectors();
  if (covariance_ && !only_differences() && vectors < k) {  // the reference's score is 0 and certain
    std::vector<double>& s = space.covariance;
    for (std::size_t a = k; a-- > 0;)
      for (std::size_t b = k; b-- > 0;) {
        const auto va = shape.vector_of(static_cast<ClassId>(a)),
                   vb = shape.vector_of(static_cast<ClassId>(b));
        s[a * k + b] = va && vb ? s[*va * vectors + *vb] : 0.0;
      }
  }
  probabilities(optimum, mean, space);
  const auto best = static_cast<std::size_t>(std::max_element(space.log_p.begin(), space.log_p.end()) -
                                             space.log_p.begin());
  out.best[at] = static_cast<ClassId>(best);
  out.best_probability[at] = space.p[best];
  out.label_log_probability[at] = label == unknown_class ? std::numeric_limits<double>::quiet_NaN()
                                                         : space.log_p[static_cast<std::size_t>(label)];
  const bool all = !out.probabilities.empty();
  if (all) std::copy(space.p.begin(), space.p.end(), out.probabilities.data() + at * k);
  if (!settings_.intervals) return;
  bounds(mean, best, space, out.lower[at], out.upper[at]);
  for (std::size_t c = 0; all && c < k; ++c)
    bounds(mean, c, space, out.class_lower[at * k + c], out.class_upper[at * k + c]);
}

void PosteriorPredictor::predict(const data::Rows& rows, model::RowInterval interval,
                                 model::Predictor::Detail detail, model::Predictions& out) const {
  const std::size_t k = predictor_.num_classes(), count = interval.size();
  const bool all = detail == model::Predictor::Detail::probabilities;
  out.best.resize(count);
  out.best_probability.resize(count);
  out.label_log_probability.resize(count);
  out.probabilities.resize(all ? count * k : 0);
  out.lower.resize(settings_.intervals ? count : 0);
  out.upper.resize(settings_.intervals ? count : 0);
  out.class_lower.resize(settings_.intervals && all ? count * k : 0);
  out.class_upper.resize(settings_.intervals && all ? count * k : 0);
  const std::size_t stride = predictor_.model().shape.stride();
  const bool own_mean = !mean_model_.coefficients.empty();
  model::FirstOverflow overflow;
  rows.x.visit_rows([&](const auto& view) {
    parallel_blocks(num_blocks_of(count, rows_per_block), [&](std::size_t block) {
      const std::size_t begin = block * rows_per_block, end = std::min(count, begin + rows_per_block);
      const model::RowInterval part{interval.first + begin, interval.first + end};
      Workspace space(k);
      // At the optimum; at the posterior's mean where that is another.
      std::vector<double> scores(part.size() * k), means(own_mean ? part.size() * k : 0);
      predictor_.scores(rows, part, scores);
      if (own_mean) model::Predictor(mean_model_).scores(rows, part, means);
      math::Vector variances;
      if (only_differences()) covariance_->variances(view, part, variances, space.scratch);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto row = view.row(part.first + i);
        const double* mean = (own_mean ? means : scores).data() + i * k;
        if (samples_)
          (*samples_)(row, rows.offsets.empty() ? 0.0 : rows.offsets[part.first + i], space.draws);
        else if (only_differences())
          covariance_->differences(row, static_cast<ClassId>(std::max_element(mean, mean + k) - mean),
                                   variances.empty() ? nullptr : variances.data() + i * stride,
                                   space.differences.data(), space.scratch);
        else
          (*covariance_)(row, space.covariance.data(), space.scratch);
        // Squares leave the range of numbers before scores do.
        bool finite = all_finite(samples_             ? space.draws
                                 : only_differences() ? space.differences
                                                      : space.covariance);
        if (finite) {
          const ClassId label = rows.labels.empty() ? unknown_class : rows.labels[part.first + i];
          predict_row(scores.data() + i * k, mean, label, begin + i, space, out);
          finite = all_finite(space.covariance) && all_finite(space.differences) && all_finite(space.p);
        }
        if (!finite) return overflow.note(part.first + i);
      }
    });
  });
  overflow.throw_if_any();
}

}  // namespace lazylogit::bayes
