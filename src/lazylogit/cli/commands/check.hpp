// lazylogit check MODEL [DATA…]
#pragma once

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/model_limits.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::cli {

struct CheckOptions {
  bool json = false;
  double gap = 1e-6;
  bool require_convergence = false;
};

class Check final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  io::ReadOptions read_;
  model::ContainerLimits model_limits_;
  CheckOptions check_;
};

}  // namespace lazylogit::cli
