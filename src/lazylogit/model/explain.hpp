// Why a row was classified as it was: the features that separate the predicted class from its strongest
// rival.
//
//   margin = score_best − score_rival = intercept_best − intercept_rival + Σ_i x_i (b_{best,i} − b_{rival,i})
//   [+ offset]
// The rival is the class of the second largest score (with two classes: the other one). Contributions sum to
// the margin. A number and labels have no rivals: the margin is the score itself, that of the most probable label.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

struct Contribution {
  std::size_t feature;  // shape.num_features: the intercept
  double value;         // x_i; 1 for the intercept
  double contribution;  // to the margin
};

struct Explanation {
  ClassId best = unknown_class;
  ClassId rival = unknown_class;
  double margin = 0;
  std::vector<Contribution> contributions;  // largest magnitude first, ties by feature; at most `top`
};

// The `top` largest contributions for one row.
Explanation explain_row(const Model& model, const data::Rows& rows, std::size_t row, std::size_t top);

// The same for two given classes.
struct ClassPair {
  ClassId best, rival;
};
Explanation explain_between(const Model& model, const data::Rows& rows, std::size_t row, ClassPair classes,
                            std::size_t top);

// One line for a person: `sports over politics (+2.31): goal +1.20, match +0.95, (intercept) -0.10`.
std::string describe(const Explanation& explanation, const Model& model);

}  // namespace lazylogit::model
