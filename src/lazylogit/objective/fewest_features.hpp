// A separating direction of few features: which ones are enough to separate, for whoever is to be told.
//
// A direction that an optimizer ran along takes part in whatever is redundant. Here features are left out, those that
// contribute least first, as long as some direction of the others still separates. What is kept is irreducible, not the
// smallest set there is: without any one of its features the others do not separate (unless the work was used up before
// that was settled; then what is kept is enough all the same). Intercepts stay and do not count.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {

// A complete separation stays complete: every margin is positive. Of a quasi-complete one some margin stays positive and
// none is negative. One that turns out to be complete becomes so. Bounded work; `interrupted` ends it sooner, with what was
// found till then.
Separation with_fewest_features(const Problem& problem, std::span<const std::uint8_t> free,
                                Separation separation, const std::function<bool()>& interrupted = {});

// The features that move scores along a direction, those that do so most first. What intercepts take up does not count.
std::vector<std::size_t> features_by_share(const Problem& problem, std::span<const std::uint8_t> free,
                                           std::span<const double> direction);

}  // namespace lazylogit::objective
