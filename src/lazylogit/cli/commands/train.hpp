// lazylogit train DATA… -o MODEL
#pragma once

#include <memory>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/holdout_input.hpp"
#include "lazylogit/cli/model_limits.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/cli/train_summary.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/stream_options.hpp"
#include "lazylogit/train/train_options.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::cli {

struct FitOptions {
  std::string holdout;         // a fraction or a file
  std::string warm_start;      // a model
  std::string trace;           // a file
  std::string cache;           // a file
  std::string learning_curve;  // empty: none; curve_table, or a file for the csv
};

class Train : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  std::vector<std::string>* log_columns() override { return &read_.derived.log; }
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 protected:
  // What a command does that chooses options by the data before the fit; here nothing.
  virtual void choose_options(data::Dataset& data, Session& session);
  // What is printed at the end; with --quiet only what was asked for.
  virtual std::string result_text(const TrainSummary& summary, const train::TrainResult& result,
                                  bool quiet) const;

  // All files that are read, but held-out ones.
  std::vector<std::string> inputs(const std::vector<std::string>& arguments) const;

  io::ReadOptions read_;
  model::ContainerLimits model_limits_;
  train::TrainOptions train_;
  OutputOptions output_;

 private:
  struct Plan {
    HoldoutPlan holdout;
    std::unique_ptr<OutputFile> out;  // open already where it is a pipe or a device
    std::unique_ptr<OutputFile> trace, curve;
  };
  void choose_optimizer(Session& session);
  void check_kind(const std::vector<std::string>& arguments, Session& session);
  void keep_what_was_learned(const train::TrainResult& result, Session& session) const;
  Plan plan(const std::vector<std::string>& arguments, Session& session);

  FitOptions fit_;
  train::StreamOptions stream_;
};

}  // namespace lazylogit::cli
