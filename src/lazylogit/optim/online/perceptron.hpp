// The perceptron (Rosenblatt 1958) and its average (Freund and Schapire 1999): the online learner `perceptron`.
//
// Two classes, one vector: on a mistake, y · score ≤ 0, b ← b + w y x. More, one vector for each: the label's gets + w x, that
// of the class with the highest score − w x. A row that is classified right changes nothing. No prior, no rate, no
// probabilities: losses are those of a softmax over the scores, for comparison alone.
// With `average` the model is the mean of the coefficients after each example, kept in O(non-zeros) of a mistake: with t − 1
// the examples before, u ← u + (t − 1) Δ at each change Δ, and the mean after t is b − u/t.
//
//   record of a feature = [ b of each vector | u of each vector (average) ]
#pragma once

#include <memory>

#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {

std::unique_ptr<OnlineLearner> make_perceptron(const OnlineSettings& settings);

}  // namespace lazylogit::optim
