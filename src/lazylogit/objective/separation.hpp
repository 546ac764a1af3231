// Separation: under a uniform prior the error has no minimum when some direction of coefficients never lowers
// the score of any row's own class against the others.
//
// d is a direction of recession when for every row j and class c ≠ label:  m_{j,c} = s_label − s_c ≥ 0, with
// s the scores of d, and m > 0 for some. All m > 0: the classes are completely separated, else
// quasi-completely. Only free coordinates (without a prior) may take part.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

struct Separation {
  bool complete = false;
  math::Vector direction;  // largest entry ±1
};

// 1 where a coordinate has no prior and is neither pinned nor padding.
std::vector<std::uint8_t> free_coordinates(const Problem& problem);
// Whether that is so of a coordinate other than the intercept's.
bool has_free_feature(const Problem& problem);
// Whether some row of positive weight has such a feature: then the optimum may be at infinity. One pass.
bool has_seen_free_feature(const Problem& problem);

// Checks the free part of `candidate` (coefficients, or a step of an optimizer) itself; one pass.
std::optional<Separation> complete_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                              std::span<const double> candidate);

// Looks for a direction in which margins that are small at `candidate` are 0 and the
// rest positive; nothing is returned unless the direction passes the check. With many coefficients first for features that
// separate by themselves, then by passes over the rows; `interrupted` is asked between those and ends the search.
std::optional<Separation> quasi_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                           std::span<const double> candidate,
                                           const std::function<bool()>& interrupted = {});

// Decides without a candidate, where no step shows a direction: for problems that fit into a MarginMatrix, by bounded work.
// Nothing where classes are not separated, or that remains open.
std::optional<Separation> decided_separation(const Problem& problem, std::span<const std::uint8_t> free,
                                             const std::function<bool()>& interrupted = {});

// A direction that an optimizer took may leave margins 0 that others make positive: the complete separation that decides, if
// there is one, else what was found.
Separation as_complete_as_can_be(const Problem& problem, std::span<const std::uint8_t> free, Separation found,
                                 const std::function<bool()>& interrupted = {});

// All of these one after another, for whoever has coefficients that may be on the way to infinity.
std::optional<Separation> find_separation(const Problem& problem, std::span<const double> coefficients,
                                          const std::function<bool()>& interrupted = {});

// Of several classes the one that the direction parts from others in most rows; of labels the one that it separates.
ClassId separated_class(const Problem& problem, std::span<const double> direction);

}  // namespace lazylogit::objective
