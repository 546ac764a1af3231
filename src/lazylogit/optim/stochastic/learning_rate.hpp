// A learning rate found by trying: how `--learning-rate auto` works.
//
// A seeded sample of the examples is learned with each of a few rates, every trial from the same start,
// and the rate with the smallest error on the sample wins. The sample has a few examples of every class, those of rare ones
// with less weight where chance would have left them out: without them any rate looks good. Rates are powers of 2 times a first one that the
// update rule takes from the mean squared length of an example (for sgd its inverse), which makes the search independent of the units of the data; it walks from there in the
// direction that improves until two rates in a row are worse, or better by next to nothing, and at most to 256 times the
// first one. Deterministic. Cost: about 10 passes over the
// sample.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::optim {

// `rows` are the examples of positive weight. Never fails: where nothing lowers the error the smallest rate
// tried is returned.
double choose_learning_rate(const objective::Problem& problem, const StochasticSettings& settings,
                            std::span<const std::uint64_t> rows, std::span<const double> start);

}  // namespace lazylogit::optim
