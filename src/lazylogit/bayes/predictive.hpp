// Probabilities that know how sure the model is: the posterior predictive, and intervals of probabilities.
//
// A row's scores have the mean μ (the model's own) and the covariance S (model/score_covariance.hpp).
//   plug-in      p_c = softmax(μ)_c
//   probit       with t the most probable class and v_c = Var(s_c − s_t): softmax of −(μ_t − μ_c)/√(1 + π v_c/8), the
//                logistic-normal mean by matching a probit; for two classes σ(μ/√(1 + πv/8)) exactly
//   monte-carlo  the mean of softmax(s) over draws of s, seeded by the row's own scores: the same row has the same
//                prediction wherever it stands
// The interval of a probability: its log odds m_c = s_c − ln Σ_{j≠c} e^{s_j} is taken as normal with the variance that
// its gradient gives (exact for two classes); Monte Carlo takes quantiles of the draws instead.
// A variational posterior has a mean of its own, which takes the place of μ except in the plug-in form. With stored
// samples the draws are theirs: the mean and covariance of the scores are those of the draws, intervals their quantiles.
// A row whose variances are beyond the range of numbers is refused, as one is whose scores are (model::ScoreOverflow).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lazylogit/bayes/sample_scores.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/model/score_covariance.hpp"

namespace lazylogit::bayes {

enum class PredictiveForm { plug_in, probit, monte_carlo };

struct PredictiveSettings {
  PredictiveForm form = PredictiveForm::plug_in;
  std::size_t draws = 1000;  // monte-carlo; of stored samples at most so many
  std::uint64_t seed = 1;
  bool intervals = false;
  double level = 0.9;  // of the intervals
};

class PosteriorPredictor {
 public:
  // The predictor's model must have a posterior; the predictor must outlive this.
  PosteriorPredictor(const model::Predictor& predictor, const PredictiveSettings& settings);

  // As model::Predictor::predict; with intervals also out.lower, out.upper (of the decision) and, with
  // probabilities, out.class_lower and out.class_upper.
  void predict(const data::Rows& rows, model::RowInterval interval, model::Predictor::Detail detail,
               model::Predictions& out) const;

 private:
  struct Workspace;
  void predict_row(const double* optimum, const double* mean, ClassId label, std::size_t at, Workspace& space,
                   model::Predictions& out) const;
  void probabilities(const double* optimum, const double* mean, Workspace& space) const;
  void probit(const double* mean, Workspace& space) const;
  void monte_carlo(const double* mean, Workspace& space) const;
  // Whether the variances of score differences are all that is asked of the posterior.
  bool only_differences() const noexcept {
    return covariance_ && settings_.form == PredictiveForm::probit && !settings_.intervals;
  }
  void average_draws(Workspace& space) const;
  void take_moments(Workspace& space) const;
  void bounds(const double* mean, std::size_t c, Workspace& space, double& lower, double& upper) const;

  const model::Predictor& predictor_;
  PredictiveSettings settings_;
  std::optional<model::ScoreCovariance> covariance_;  // nothing: there are samples
  std::optional<SampleScores> samples_;
  model::Model mean_model_;  // shape and mean of a variational posterior
  double quantile_;
};

}  // namespace lazylogit::bayes
