// How well a model chooses among candidates (the conditional logit).
#pragma once

#include <cstdint>
#include <string>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::eval {

// Weighted by choice. A candidate's rank is 1 plus the number of candidates of its choice that are more probable,
// and half of those that are as probable.
struct ChoiceEvaluation {
  std::uint64_t choices = 0, candidates = 0;  // of choices with one taken candidate
  double accuracy = 0;                        // the taken candidate is the most probable one
  double log_loss = 0;                        // −log p(taken), mean
  double baseline = 0;                        // of a model that finds all candidates alike
  double reciprocal_rank = 0;                 // mean of 1/rank of the taken candidate
};

// Choices without a taken candidate are left out. The predictions have all probabilities.
ChoiceEvaluation evaluate_choices(const data::Rows& rows, const model::Predictions& predictions);

std::string report_text(const ChoiceEvaluation& evaluation);
std::string report_json(const ChoiceEvaluation& evaluation);

}  // namespace lazylogit::eval
