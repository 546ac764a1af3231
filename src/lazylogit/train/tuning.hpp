// Choosing the width of the prior: cross-validation along a path, or the evidence.
//
// Folds are parts of the same rows in memory: a fit without a fold gives its rows weight 0. Each fit along the path
// begins where the one before ended. Path fits end at a relative gap of 1e-3 (1e-8 for
// the evidence); the model that is kept is fitted by
// `train` with the number chosen here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

enum class TuneBy { log_loss, accuracy, evidence };

struct TuneSettings {
  TuneBy by = TuneBy::log_loss;
  std::size_t folds = 5;
  std::size_t repeats = 1;
  std::size_t path = 50;            // values of the path
  std::vector<double> values = {};  // instead of the path
  bool one_standard_error = false;
  std::optional<std::uint64_t> max_features = {};
  std::string groups = {};  // as in feature_groups.hpp; empty: one number for all
};

struct TunePoint {
  double value = 0;                   // of the tuned option
  std::vector<double> fold_log_loss;  // held out; by repeat, then by fold
  std::vector<double> fold_accuracy;
  double log_loss = 0, log_loss_error = 0;  // mean over folds and its standard error; NaN without folds
  double accuracy = 0, accuracy_error = 0;  // of labels the share of right decisions
  bool numbers = false;  // labels are numbers: log_loss is the mean squared error, accuracy is R²
  std::optional<double> log_evidence;
  std::optional<std::uint64_t> features;  // with a coefficient that is not 0, in the fit to all rows
};

// A group of features with a width of its own.
struct GroupWidth {
  std::string name;
  std::uint64_t features = 0;
  double value = 0;                 // of the tuned option
  double effective_parameters = 0;  // that the data determines; NaN unless the prior is Gaussian
};

struct Tuning {
  std::string option;                      // the tuned one
  std::vector<TunePoint> points;           // from strong to weak priors
  std::size_t best = 0;                    // by the criterion
  std::size_t chosen = 0;                  // by the rule
  bool ended_early = false;                // the path was left when the held-out loss kept rising
  std::vector<GroupWidth> groups;          // empty: `chosen` is for all
  std::vector<double> group_log_evidence;  // from `chosen` for all to the groups, step by step; ascending
  TrainOptions options;                    // with the chosen number, or those of the groups
};

// Called after each point.
class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  virtual void on_point(const TunePoint& point, std::size_t done, std::size_t of) = 0;
  virtual void on_group_step(std::size_t /*step*/, double /*log_evidence*/) {}
};

// Throws ConfigError for settings that contradict each other or the options: all that can be said without data.
void check_tuning(const TrainOptions& options, const TuneSettings& settings);

// Throws ConfigError as check_tuning, for settings that contradict the data, and where no point has few enough features.
Tuning tune(data::Dataset& data, const TrainOptions& options, const TuneSettings& settings,
            TuneObserver& observer, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::train
