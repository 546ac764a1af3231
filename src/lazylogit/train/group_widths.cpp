#include "lazylogit/train/group_widths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/posterior_at.hpp"

namespace lazylogit::train {
namespace {

constexpr double gap = 1e-10;             // differences of evidence are small
constexpr double enough = 1e-3;           // a gain of evidence below this is none
constexpr std::size_t dense_size = 1024;  // coefficients whose exact variances are worth their price
constexpr int most_sweeps = 20;

// The optimum under one set of strengths.
struct Point {
  std::vector<double> logs;  // ln f of each group
  math::Vector b, variance;
  double evidence = -std::numeric_limits<double>::infinity();
};

class GroupAscent {
 public:
  GroupAscent(data::Dataset& data, const TrainOptions& options, const Prepared& prepared,
              std::span<const double> deviations, const FeatureGroups& groups, const GroupStart& start,
              const GroupStep& on_step, const CancelToken& cancel)
      : data_(data),
        options_(options),
        prepared_(prepared),
        deviations_(deviations),
        groups_(groups),
        low_(std::log(std::min(start.weakest, start.strength))),
        high_(std::log(std::max(start.strongest, start.strength))),
        on_step_(on_step),
        cancel_(cancel),
        gaussian_(options.prior == prior::Gaussian::name),
        now_(at(std::vector<double>(groups.names.size(), std::log(start.strength)), start.coefficients)) {
    result_.log_evidence.push_back(now_.evidence);
  }

  GroupWidths operator()() {
    if (gaussian_) fixed_point();
    double step = 1;
    for (int sweep = 0; sweep < most_sweeps && groups_.names.size() > 0;
         ++sweep, step = std::max(0.25, step / 2)) {
      const double before = now_.evidence;
      for (std::size_t g = 0; g < groups_.names.size(); ++g) search(g, step);
      if (now_.evidence - before < enough) break;
    }
    for (const double log : now_.logs) result_.strengths.push_back(std::exp(log));
    result_.row_strengths = rows_of(now_.logs);
    if (gaussian_) result_.effective = determined(now_).gamma;
    return std::move(result_);
  }

 private:
  std::vector<double> rows_of(const std::vector<double>& logs) const {
    std::vector<double> rows;
    for (const std::uint32_t group : groups_.of) rows.push_back(std::exp(logs[group]));
    return rows;
  }

  Point at(std::vector<double> logs, std::span<const double> start) const {
    cancel_.throw_if_cancelled();
    TrainOptions options = options_;
    options.row_strengths = rows_of(logs);
    const prior::PriorTable prior =
        make_prior_table(data_, options, prepared_.shape, deviations_, silent_log());
    Point point;
    point.logs = std::move(logs);
    optim::FitRequest request;
    request.problem = prepared_.problem();
    request.problem.prior = &prior;
    request.start = start;
    request.gap = gap;
    request.max_passes = options.max_passes;
    request.batch = batch_settings(options);
    request.cancel = cancel_;
    point.b = choose_optimizer(options, request.problem).optimizer->run(request).coefficients;
    const bool full = gaussian_ && point.b.size() <= dense_size;
    try {
      const auto posterior = posterior_at(prepared_, prior, point.b, full, {}, cancel_);
      if (!posterior.log_evidence || !std::isfinite(*posterior.log_evidence)) return point;
      point.evidence = *posterior.log_evidence;
      point.variance = posterior.variance;
    } catch (const InputError&) {
      // No approximation there: a point that is never better than another.
    }
    return point;
  }

  // Takes the point if it is better.
  bool take(Point point) {
    if (!(point.evidence > now_.evidence)) return false;
    now_ = std::move(point);
    result_.log_evidence.push_back(now_.evidence);
    on_step_(result_.log_evidence.size() - 1, now_.evidence);
    return true;
  }

  struct Determined {
    std::vector<double> gamma, squares;  // γ_g, and Σ κ (b − m)² at strength 1
  };
  Determined determined(const Point& point) const {
    Determined sums{std::vector<double>(groups_.names.size(), 0.0),
                    std::vector<double>(groups_.names.size(), 0.0)};
    if (point.variance.empty()) return sums;
    const model::Shape& shape = prepared_.shape;
    for (std::size_t i = 0; i < groups_.of.size(); ++i)
      for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
        const std::size_t k = shape.index(i, v), g = groups_.of[i];
        // prepared_ has the prior of strength 1.
        const double curvature =
            std::visit([](const auto& p) { return p.curvature(0); }, prepared_.prior.at(k));
        const double shifted = point.b[k] - prepared_.prior.mean(k);
        sums.gamma[g] += 1 - std::exp(point.logs[g]) * curvature * point.variance[k];
        sums.squares[g] += curvature * shifted * shifted;
      }
    return sums;
  }

  void fixed_point() {
    constexpr int most_steps = 100, most_halvings = 3;
    for (int step = 0; step < most_steps; ++step) {
      const Determined sums = determined(now_);
      std::vector<double> to(now_.logs);
      for (std::size_t g = 0; g < to.size(); ++g) {
        const double f = std::max(sums.gamma[g], 0.0) / sums.squares[g];
        to[g] = std::isnan(f) ? high_ : std::clamp(std::log(f), low_, high_);
      }
      const double before = now_.evidence;
      bool taken = false;
      for (int halving = 0; halving < most_halvings && !taken; ++halving) {
        taken = take(at(to, now_.b));
        for (std::size_t g = 0; g < to.size(); ++g) to[g] = 0.5 * (to[g] + now_.logs[g]);
      }
      if (!taken || now_.evidence - before < enough) return;
    }
  }

  void search(std::size_t g, double step) {
    const auto moved = [&](double log) {
      std::vector<double> logs(now_.logs);
      logs[g] = std::clamp(log, low_, high_);
      return at(std::move(logs), now_.b);
    };
    const double centre = now_.logs[g], middle = now_.evidence;
    const double left_log = std::max(centre - step, low_), right_log = std::min(centre + step, high_);
    Point left = moved(left_log), right = moved(right_log);
    const double left_value = left.evidence, right_value = right.evidence;
    take(std::move(left));
    take(std::move(right));
    // At an end of the range, or where one side has no evidence, there is no parabola.
    const double a = left_log - centre, c = right_log - centre;
    if (!(a < 0) || !(c > 0) || !std::isfinite(left_value) || !std::isfinite(right_value)) return;
    const double slope_left = (left_value - middle) / a, slope_right = (right_value - middle) / c;
    const double bend = (slope_right - slope_left) / (c - a);
    if (!(bend < 0)) return;
    const double vertex = 0.5 * (a - slope_left / bend);
    if (std::abs(vertex) > 1e-3) take(moved(centre + std::clamp(vertex, -3 * step, 3 * step)));
  }

  data::Dataset& data_;
  const TrainOptions& options_;
  const Prepared& prepared_;
  std::span<const double> deviations_;
  const FeatureGroups& groups_;
  double low_, high_;
  const GroupStep& on_step_;
  CancelToken cancel_;
  bool gaussian_;
  Point now_;
  GroupWidths result_;
};

}  // namespace

GroupWidths maximise_groups(data::Dataset& data, const TrainOptions& options, const Prepared& prepared,
                            std::span<const double> deviations, const FeatureGroups& groups, GroupStart start,
                            const GroupStep& on_step, const CancelToken& cancel) {
  return GroupAscent(data, options, prepared, deviations, groups, start, on_step, cancel)();
}

}  // namespace lazylogit::train
