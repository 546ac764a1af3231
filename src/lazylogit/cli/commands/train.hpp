// lazylogit train DATA… -o MODEL
#pragma once

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

struct FitOptions {
  std::string holdout;     // a fraction or a file
  std::string warm_start;  // a model
};

class Train final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  void choose_optimizer(Session& session);
  io::ReadOptions read_;
  train::TrainOptions train_;
  FitOptions fit_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
