#include "lazylogit/optim/online/grid_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/kernels/grid_kernels.hpp"
#include "lazylogit/optim/online/lazy_flow.hpp"
#include "lazylogit/optim/online/margin_flow.hpp"
#include "lazylogit/optim/online/record_store.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::string_view learner_name = "adagrad";
constexpr std::size_t one_record_width = 4;  // of one model: b, G, 1/s, clock
constexpr AdaptiveDefaults defaults = adaptive_defaults(false);

class Grid {
 public:
  explicit Grid(std::vector<OnlineSettings> settings)
      : settings_(std::move(settings)),
        lanes_((settings_.size() + 7) / 8 * 8),
        kernels_(grid_kernels()),
        prior_(std::holds_alternative<prior::Laplace>(first().prior) ? GridPrior::laplace
                                                                     : GridPrior::gaussian),
        strengths_(lanes_, 0.0),
        features_(2 * lanes_ + 8, first().hashed),
        intercept_(2 * lanes_ + 8),
        rate_(first().rate.value_or(defaults.rate)),
        outcomes_(settings_.size()) {
    for (std::size_t g = 0; g < settings_.size(); ++g)
      strengths_[g] = prior_ == GridPrior::laplace ? std::get<prior::Laplace>(settings_[g].prior).l1
                                                   : std::get<prior::Gaussian>(settings_[g].prior).precision;
    intercept_.grow(1);
  }

  const OnlineSettings& settings(std::size_t model) const noexcept { return settings_[model]; }
  std::size_t num_features() const noexcept { return features_.size(); }
  std::size_t find_used(std::size_t from, std::span<std::uint64_t> found) const noexcept {
    return features_.find_used(from, found);
  }
  void grow(std::size_t num_features) { features_.grow(num_features); }

  void learn(const data::Rows& rows, OnlineLearner::Range range, std::span<const double> weights,
             double offset_sign) {
    rows.x.visit_rows([&](const auto& view) {
      if (range.first < range.last) find_next(view.row(range.first).ids);
      for (std::size_t j = range.first; j < range.last; ++j) {
        std::swap(records_, next_records_);
        if (j + 1 < range.last) find_next(view.row(j + 1).ids);
        const double weight = weights.empty() ? 1.0 : weights[j];
        if (!(weight > 0)) continue;
        const double offset = rows.offsets.empty() ? 0.0 : offset_sign * rows.offsets[j];
        learn_row(view.row(j), rows.labels[j], weight, offset);
      }
    });
  }
  // Hands over what became of the next `count` rows of a model.
  void take_outcomes(std::size_t model, std::size_t count, std::vector<RowOutcome>& to) {
    Outcomes& own = outcomes_[model];
    const auto from = own.all.begin() + static_cast<std::ptrdiff_t>(own.taken);
    to.insert(to.end(), from, from + static_cast<std::ptrdiff_t>(count));
    own.taken += count;
    if (own.taken < own.all.size()) return;
    own = {};
  }

  void record(std::size_t feature, std::size_t model, double* out) const {
    const double* const r = feature == features_.size() ? intercept_.at(0) : features_.at(feature);
    out[0] = r[model];
    out[1] = r[lanes_ + model];
    out[2] = r[2 * lanes_];
    out[3] = r[2 * lanes_ + 1];
  }
  double coefficient(std::size_t feature, std::size_t model) const {
    double r[one_record_width];
    record(feature, model, r);
    if (feature == features_.size() && !first().prior_on_intercept) return r[0];
    const double time = adaptive_speed(defaults.first_squares + r[1], r[2]) * time_.elapsed(r[3]);
    return prior_ == GridPrior::laplace
               ? flow_for(std::get<prior::Laplace>(settings_[model].prior), r[0], time)
               : flow_for(std::get<prior::Gaussian>(settings_[model].prior), r[0], time);
  }
  void begin_at(std::size_t feature, std::size_t model, double b) {
    (feature == features_.size() ? intercept_.at(0) : features_.at(feature))[model] = b;
  }
  Scalars scalars() const {
    return {
        {"examples", examples_}, {"norm", norm_}, {"time", time_.now()}, {"time_rest", time_.compensation()}};
  }

 private:
  const OnlineSettings& first() const noexcept { return settings_.front(); }

  // The records of a row that comes next, with room for the intercept's.
  void find_next(std::span<const FeatureId> ids) {
    if (next_records_.size() <= ids.size()) next_records_.resize(ids.size() + 1);
    features_.find(ids, next_records_.data());
  }

  template <class Row>
  GridRow collect(const Row& row) {
    const std::size_t entries = row.size() + (first().intercept ? 1 : 0);
    x_.resize(entries);
    units_.resize(entries);
    steps_.resize(entries * lanes_);
    for (std::size_t k = 0; k < row.size(); ++k) x_[k] = row.value(k);
    if (first().intercept) {
      records_[row.size()] = intercept_.at(0);
      x_.back() = 1;
    }
    return {records_.data(), x_.data(),
            entries,         first().prior_on_intercept ? entries : row.size(),
            lanes_,          defaults.first_squares};
  }

  template <class Row>
  void learn_row(const Row& row, ClassId label, double weight, double offset) {
    const GridRow entries = collect(row);
    scores_.assign(lanes_, 0.0);
    added_.assign(lanes_, 0.0);
    moves_.assign(lanes_, 0.0);
    log_odds_.resize(lanes_);
    norm_ += kernels_.look(entries, prior_, strengths_.data(), time_.now(), units_.data(), scores_.data());
    examples_ += 1;
    const double rate = rate_ * std::sqrt(examples_ / norm_);
    const VectorForm one_vector{1, true};
    bool finite = true;
    for (std::size_t g = 0; g < settings_.size(); ++g) {
      double residual = scores_[g] + offset;
      const SoftmaxRow result = softmax_row(label, one_vector, &residual);
      outcomes_[g].all.push_back(result.outcome);
      log_odds_[g] = result.log_odds;
      finite = finite && std::isfinite(result.outcome.loss);
      added_[g] = weight * (residual * residual);
      scores_[g] = residual;
    }
    kernels_.weigh(entries, units_.data(), added_.data(), moves_.data(), steps_.data());
    for (std::size_t g = 0; g < settings_.size(); ++g)
      scores_[g] = shortened(scores_[g], log_odds_[g], moves_[g], rate * weight);
    std::fill(scores_.begin() + static_cast<std::ptrdiff_t>(settings_.size()), scores_.end(), 0.0);
    kernels_.move(entries, scores_.data(), steps_.data());
    if (std::isfinite(rate)) time_.advance(rate / examples_, 1);
    if (!finite)
      throw InputError({.message = "the loss of a row is beyond the range of finite numbers",
                        .hint = "are the numbers of the data as they should be?",
                        .code = "not-finite"});
  }

  // A residual becomes a step: times the rate, shortened to the length of the flow.
  static double shortened(double residual, double log_odds, double move, double rate) noexcept {
    const double jump = rate * move * std::abs(residual);
    if (!std::isfinite(jump)) return 0;
    return residual * (jump > 0 ? rate * std::min(1.0, margin_flow(log_odds, rate * move) / jump) : rate);
  }

  struct Outcomes {
    std::vector<RowOutcome> all = {};
    std::size_t taken = 0;
  };
  std::vector<OnlineSettings> settings_;
  std::size_t lanes_;
  GridKernels kernels_;
  GridPrior prior_;
  math::Vector strengths_;
  RecordStore features_, intercept_;
  double rate_, norm_ = 0, examples_ = 0;
  FlowStep time_;
  std::vector<Outcomes> outcomes_;
  std::vector<double*> records_, next_records_;  // of the row that is learned, and of the next
  math::Vector x_, units_, steps_, scores_, added_, moves_, log_odds_;
};

class GridModel final : public OnlineLearner {
 public:
  GridModel(std::shared_ptr<Grid> grid, std::size_t model) : grid_(std::move(grid)), model_(model) {}

  void grow(std::size_t num_features, std::size_t num_classes) override {
    num_classes_ = std::max(num_classes, num_classes_);
    if (num_classes_ > 2 && alone_ == nullptr) leave();
    if (alone_ != nullptr) return alone_->grow(num_features, num_classes);
    grid_->grow(num_features);
  }

  void learn_range(const data::Rows& rows, Range range, std::span<const double> weights, double offset_sign,
                   std::vector<RowOutcome>& outcomes) override {
    if (alone_ != nullptr) return alone_->learn_range(rows, range, weights, offset_sign, outcomes);
    if (model_ == 0) grid_->learn(rows, range, weights, offset_sign);
    std::size_t count = range.last - range.first;
    if (!weights.empty())
      count =
          static_cast<std::size_t>(std::count_if(weights.begin() + static_cast<std::ptrdiff_t>(range.first),
                                                 weights.begin() + static_cast<std::ptrdiff_t>(range.last),
                                                 [](double weight) { return weight > 0; }));
    grid_->take_outcomes(model_, count, outcomes);
  }

  std::size_t num_features() const override {
    return alone_ != nullptr ? alone_->num_features() : grid_->num_features();
  }
  std::size_t find_used(std::size_t from, std::span<std::uint64_t> found) const override {
    return alone_ != nullptr ? alone_->find_used(from, found) : grid_->find_used(from, found);
  }
  std::size_t num_classes() const override { return num_classes_; }
  std::size_t num_vectors() const override { return alone_ != nullptr ? alone_->num_vectors() : 1; }
  bool has_reference() const override { return alone_ == nullptr || alone_->has_reference(); }
  void coefficients(std::size_t feature, double* out) const override {
    if (alone_ != nullptr) return alone_->coefficients(feature, out);
    *out = grid_->coefficient(feature, model_);
  }
  void begin_at(std::size_t feature, const double* b) override {
    if (alone_ != nullptr) return alone_->begin_at(feature, b);
    grid_->begin_at(feature, model_, *b);
  }
  std::size_t record_width() const override {
    return alone_ != nullptr ? alone_->record_width() : one_record_width;
  }
  const double* record(std::size_t feature) const override {
    if (alone_ != nullptr) return std::as_const(*alone_).record(feature);
    grid_->record(feature, model_, record_);
    return record_;
  }
  double* record(std::size_t feature) override {
    if (alone_ == nullptr) throw std::logic_error("a model of a grid cannot be restored");
    return alone_->record(feature);
  }
  Scalars scalars() const override { return alone_ != nullptr ? alone_->scalars() : grid_->scalars(); }
  void restore(const Scalars& scalars) override {
    if (alone_ == nullptr) throw std::logic_error("a model of a grid cannot be restored");
    alone_->restore(scalars);
  }

 private:
  std::unique_ptr<OnlineLearner> make_alone() const {
    return find_online_learner(learner_name)->make(grid_->settings(model_));
  }
  void leave() {
    auto alone = make_alone();
    alone->grow(grid_->num_features(), 2);
    std::array<std::uint64_t, 1024> used;
    for (std::size_t next = 0; const std::size_t count = grid_->find_used(next, used);
         next = used[count - 1] + 1)
      for (std::size_t i = 0; i < count; ++i) grid_->record(used[i], model_, alone->record(used[i]));
    grid_->record(grid_->num_features(), model_, alone->record(grid_->num_features()));
    alone->restore(grid_->scalars());
    alone_ = std::move(alone);
    grid_ = nullptr;
  }

  std::shared_ptr<Grid> grid_;  // until the model goes on alone
  std::size_t model_, num_classes_ = 0;
  std::unique_ptr<OnlineLearner> alone_;
  mutable double record_[one_record_width] = {};
};

}  // namespace

std::vector<std::unique_ptr<OnlineLearner>> make_grid_steps(const std::vector<OnlineSettings>& settings) {
  const OnlineSettings& first = settings.front();
  const bool fits = (std::holds_alternative<prior::Gaussian>(first.prior) ||
                     std::holds_alternative<prior::Laplace>(first.prior)) &&
                    !first.symmetric && !first.choices && first.response == data::Response::classes &&
                    settings.size() > 1;
  std::vector<std::unique_ptr<OnlineLearner>> models;
  if (!fits) return models;
  const auto grid = std::make_shared<Grid>(settings);
  for (std::size_t g = 0; g < settings.size(); ++g) models.push_back(std::make_unique<GridModel>(grid, g));
  return models;
}

}  // namespace lazylogit::optim
