// lazylogit predict MODEL DATA…
#pragma once

#include <optional>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/model_limits.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/cli/prediction_writer.hpp"
#include "lazylogit/cli/predictive_options.hpp"
#include "lazylogit/cli/scoring_run.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::cli {

class Predict final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  void check_set(const std::vector<std::string>& arguments) const;
  void check_response(const model::Model& model, const Session& session) const;
  double set_threshold(const ScoringRun& run, const bayes::PosteriorPredictor* posterior,
                       Session& session) const;

  io::ReadOptions read_;
  model::ContainerLimits model_limits_;
  PredictionOptions predictions_;
  PredictiveOptions predictive_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
