// The list of single numbers that an evaluation yields; text, JSON and documentation walk it.
#pragma once

#include <optional>
#include <span>

#include "lazylogit/eval/evaluation.hpp"

namespace lazylogit::eval {

struct Metric {
  const char* name;  // as in JSON
  const char* unit;  // empty: a plain number
  const char* help;
  std::optional<double> (*get)(const Evaluation&);
};

std::span<const Metric> metrics();

}  // namespace lazylogit::eval
