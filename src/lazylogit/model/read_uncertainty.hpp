// The parts of a model file about uncertainty, checked: the posterior and the scores of held-out rows.
#pragma once

#include <optional>

#include "lazylogit/model/held_out_scores.hpp"
#include "lazylogit/model/posterior_approximation.hpp"
#include "lazylogit/model/tensor_reader.hpp"

namespace lazylogit::model {

std::optional<PosteriorApproximation> read_posterior(const TensorReader& reader, const Shape& shape);
std::optional<HeldOutScores> read_held_out(const TensorReader& reader);

}  // namespace lazylogit::model
