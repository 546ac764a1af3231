// One width of the prior per group of features, by maximising the evidence.
//
// The prior of group g is f_g times as strong as the options say (prior_path.hpp). From a common strength:
//   gaussian: MacKay's fixed point for all groups at once,  f_g ← γ_g / Σ_{i∈g} κ_i (b_i − m_i)²,
//             γ_g = Σ_{i∈g} (1 − f_g κ_i Var(b_i))  the parameters that the data determines, κ the curvature at f = 1;
//   then, and for the other priors, one group after another, the vertex of the parabola through three values of ln f_g,
// each with a fit from where the last one ended. A step is taken only if it raises the evidence (the fixed point leaves out
// that the likelihood's curvature moves along), so the evidence never falls; the end is a sweep over all groups that gains
// less than 0.001. Strengths stay within those of the path, which go from an empty group to one that is all but free.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/train/feature_groups.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

struct GroupWidths {
  std::vector<double> strengths;      // f of each group
  std::vector<double> effective;      // γ of each group; empty unless the prior is Gaussian
  std::vector<double> log_evidence;   // at the start and after every step; ascending
  std::vector<double> row_strengths;  // f of every row of the layout
};

// Called after each step.
using GroupStep = std::function<void(std::size_t step, double log_evidence)>;

struct GroupStart {
  double strength = 1;                // of all groups
  double weakest = 0, strongest = 0;  // the range of strengths
  math::Vector coefficients = {};     // the optimum, or near it
};

GroupWidths maximise_groups(data::Dataset& data, const TrainOptions& options, const Prepared& prepared,
                            std::span<const double> deviations, const FeatureGroups& groups, GroupStart start,
                            const GroupStep& on_step, const CancelToken& cancel);

}  // namespace lazylogit::train
