// The one list of optimizers: flags, help, tests and docs walk it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lazylogit/optim/optimizer.hpp"
#include "lazylogit/optim/stochastic/head_start.hpp"

namespace lazylogit::optim {

std::span<const OptimizerEntry> optimizers();

// The entry of a name. Throws ConfigError about `option` that lists the names there are.
const OptimizerEntry& find_optimizer(std::string_view name, std::string_view option = "optimizer");

// What `auto` stands for: the fastest route to the certified optimum of this problem, and why it is taken.
struct Choice {
  const OptimizerEntry* optimizer;
  std::string reason;            // follows "because"
  std::uint64_t head_start = 0;  // epochs that find its start, at most
  Ahead ahead = Ahead::descent;  // what they are epochs of
};
Choice choose_optimizer(const objective::Problem& problem);
FitSummary run_choice(const Choice& choice, const FitRequest& request);

}  // namespace lazylogit::optim
