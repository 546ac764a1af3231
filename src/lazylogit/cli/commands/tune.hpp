// lazylogit tune DATA… -o MODEL: train, after choosing the width of the prior.
#pragma once

#include "lazylogit/cli/commands/train.hpp"
#include "lazylogit/train/tuning.hpp"

namespace lazylogit::cli {

struct TuneOptions {
  std::string by = "log-loss";
  std::uint64_t folds = 5, repeats = 1, path = 50;
  std::string values, groups;
  bool one_standard_error = false;
  std::optional<std::uint64_t> max_features;
  bool json = false;
  std::string trace;
};

class Tune final : public Train {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 protected:
  void choose_options(data::Dataset& data, Session& session) override;
  std::string result_text(const TrainSummary& summary, const train::TrainResult& result,
                          bool quiet) const override;

 private:
  TuneOptions tune_;
  train::TuneSettings settings_;
  train::Tuning tuning_;
};

}  // namespace lazylogit::cli
