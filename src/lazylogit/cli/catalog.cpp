// The list of commands.
#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/commands/check.hpp"
#include "lazylogit/cli/commands/compare.hpp"
#include "lazylogit/cli/commands/convert.hpp"
#include "lazylogit/cli/commands/evaluate.hpp"
#include "lazylogit/cli/commands/inspect.hpp"
#include "lazylogit/cli/commands/outliers.hpp"
#include "lazylogit/cli/commands/predict.hpp"
#include "lazylogit/cli/commands/train.hpp"
#include "lazylogit/cli/commands/tune.hpp"

namespace lazylogit::cli {

std::vector<std::unique_ptr<Command>> make_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<Train>());
  commands.push_back(std::make_unique<Predict>());
  commands.push_back(std::make_unique<Evaluate>());
  commands.push_back(std::make_unique<Inspect>());
  commands.push_back(std::make_unique<Check>());
  commands.push_back(std::make_unique<Tune>());
  commands.push_back(std::make_unique<Outliers>());
  commands.push_back(std::make_unique<Compare>());
  commands.push_back(std::make_unique<Convert>());
  return commands;
}

config::OptionSet all_options(Command& command, GeneralOptions& general) {
  config::OptionSet options;
  command.declare(options);
  general.log_columns = command.log_columns();
  options.add(general.log_columns == nullptr ? general_fields() : general_fields_with_columns(), general);
  return options;
}

}  // namespace lazylogit::cli
