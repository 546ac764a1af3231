// Separation that takes no search: features that by themselves never speak against the class of any row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

// A feature that is positive in some classes, negative in others, and in none both, as a word that one class alone has:
// the scores of the former may go up without end. The sum of such directions over all features whose coefficients are
// free; nothing where there are none. One pass, for problems of classes without centers.
std::optional<math::Vector> one_sided_direction(const Problem& problem, std::span<const std::uint8_t> free);

}  // namespace lazylogit::objective
