// lazylogit evaluate MODEL DATA…
#pragma once

#include <cstdint>
#include <optional>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/model_limits.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/cli/predictive_options.hpp"
#include "lazylogit/cli/scoring_run.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::cli {

struct EvaluateOptions {
  bool json = false;
  std::uint64_t worst = 10;
  std::optional<double> threshold;  // several labels
};

class Evaluate final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  int evaluate_response(ScoringRun& run, Session& session) const;
  int evaluate_choices(ScoringRun& run, Session& session) const;

  io::ReadOptions read_;
  model::ContainerLimits model_limits_;
  EvaluateOptions evaluate_;
  PredictiveOptions predictive_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
