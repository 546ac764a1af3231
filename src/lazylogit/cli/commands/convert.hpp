// lazylogit convert IN OUT
#pragma once

#include "lazylogit/cli/command.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::cli {

struct ConvertOptions {
  io::Format to = io::Format::automatic;
};

class Convert final : public Command {
 public:
  const CommandInfo& info() const override;
  void declare(config::OptionSet& options) override;
  int execute(const std::vector<std::string>& arguments, Session& session) override;

 private:
  io::ReadOptions read_;
  ConvertOptions convert_;
};

}  // namespace lazylogit::cli
