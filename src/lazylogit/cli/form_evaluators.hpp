// One evaluation per form of the posterior predictive, side by side: is averaging over the posterior better calibrated?
//
// A model without a posterior has the plug-in form only. Monte Carlo costs a thousand predictions per row: beyond
// 200,000 probabilities it is given up, unless it is the chosen form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/bayes/predictive.hpp"
#include "lazylogit/eval/evaluator.hpp"

namespace lazylogit::cli {

class FormEvaluators {
 public:
  // The predictor must outlive this.
  FormEvaluators(const model::Predictor& predictor, const bayes::PredictiveSettings& chosen);
  void add(const data::Rows& rows);
  void finish();

  const eval::Evaluation& chosen() const { return forms_[chosen_].result; }
  std::string forms_text() const;                                // a table; empty with one form
  std::string with_forms_json(const std::string& report) const;  // the report with the key "predictive"

 private:
  struct Form {
    std::string name;
    bool costly = false;  // given up when rows are many
    std::unique_ptr<bayes::PosteriorPredictor> predictor;
    std::unique_ptr<eval::Evaluator> evaluator;
    eval::Evaluation result;
  };
  std::vector<Form> forms_;
  std::size_t num_classes_;
  std::size_t chosen_ = 0;
  std::size_t num_probabilities_ = 0;
};

}  // namespace lazylogit::cli
