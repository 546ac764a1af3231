// How good a model is on some rows, in two numbers: what tuning and learning curves compare.
#pragma once

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::train {

// | response | loss               | score                 |
// |----------|--------------------|-----------------------|
// | classes  | mean −log p(label) | accuracy              |
// | number   | mean squared error | R²                    |
// | labels   | mean log loss      | share of right labels |
// Weighted means; rows whose class the model does not know are left out; NaN where no row counts.
struct Judgement {
  double loss, score;
};

// Needs the model's shape and coefficients only.
Judgement judge(const model::Model& model, const data::Rows& rows);

}  // namespace lazylogit::train
