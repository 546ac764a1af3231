// lazylogit inspect MODEL
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/model_limits.hpp"

namespace lazylogit::cli {

struct InspectOptions {
  bool coefficients = false;
  bool json = false;
  std::uint64_t top = 10;
  std::vector<std::string> classes;
};

class Inspect final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  InspectOptions options_;
  model::ContainerLimits model_limits_;
};

}  // namespace lazylogit::cli
