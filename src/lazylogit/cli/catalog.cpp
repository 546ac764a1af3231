// The list of commands.
#include "lazylogit/cli/command.hpp"

namespace lazylogit::cli {

std::vector<std::unique_ptr<Command>> make_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  return commands;
}

config::OptionSet all_options(Command& command, GeneralOptions& general) {
  config::OptionSet options;
  command.declare(options);
  options.add(general_fields(), general);
  return options;
}

}  // namespace lazylogit::cli
