// "Did you mean": the candidate closest to a mistyped word.
//
// Closeness is the optimal string alignment distance (insert, delete, replace, swap of neighbours, each 1),
// letters compared without case; blanks at the ends make no distance. A candidate qualifies when the distance is at most a third of the longer
// word, or when the word is a beginning of it of three letters or more. Ties go to the first
// candidate. Cost: one table of word × candidate per candidate; words beyond 64 bytes have no suggestion.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lazylogit::config {

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// `did you mean "x"?`, with `prefix` before the candidate inside the quotes; empty when nothing is close.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         std::string_view prefix = {});

}  // namespace lazylogit::config
