// lazylogit predict MODEL DATA…
#pragma once

#include <optional>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/cli/prediction_writer.hpp"
#include "lazylogit/cli/predictive_options.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::cli {

class Predict final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  io::ReadOptions read_;
  PredictionOptions predictions_;
  PredictiveOptions predictive_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
