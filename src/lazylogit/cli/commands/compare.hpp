// lazylogit compare DATA…
#pragma once

#include <string>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/output_options.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::cli {

struct CompareOptions {
  std::string optimizers;  // names with commas between them; empty: all that fit
  bool json = false;
  std::string trace;    // a file
  std::string holdout;  // a fraction or a file
};

class Compare final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  std::vector<std::string>* log_columns() override { return &read_.derived.log; }
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  io::ReadOptions read_;
  train::TrainOptions train_;
  CompareOptions compare_;
  OutputOptions output_;
};

}  // namespace lazylogit::cli
