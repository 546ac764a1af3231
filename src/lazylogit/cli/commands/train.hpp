// lazylogit train DATA… -o MODEL
#pragma once

#include <memory>
#include <optional>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

struct FitOptions {
  std::string holdout;     // a fraction or a file
  std::string warm_start;  // a model
  std::string trace;       // a file
};

class Train final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  struct Plan {
    std::optional<double> holdout_fraction;
    std::vector<std::string> holdout_files;
    std::unique_ptr<OutputFile> out;  // open already where it is a pipe or a device
    std::unique_ptr<OutputFile> trace;
  };
  void choose_optimizer(Session& session);
  Plan plan(const std::vector<std::string>& arguments, Session& session);
  std::optional<data::Rows> held_out(const Plan& plan, data::Dataset& data, Session& session) const;

  io::ReadOptions read_;
  train::TrainOptions train_;
  FitOptions fit_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
