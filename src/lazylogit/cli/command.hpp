// One command of the program. The list of them is catalog.cpp; help, man page, completions and the reference
// page walk that list.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/cli/console.hpp"
#include "lazylogit/cli/general_options.hpp"
#include "lazylogit/config/option_set.hpp"

namespace lazylogit::cli {

struct UsageExample {
  std::string line;     // without the "lazylogit "
  std::string meaning;  // one sentence, no final stop
};

struct CommandInfo {
  std::string name;
  std::string arguments;    // "DATA… -o MODEL"
  std::string summary;      // one line
  std::string description;  // a paragraph
  std::vector<UsageExample> examples;
  std::size_t min_arguments = 1;
  std::size_t max_arguments = static_cast<std::size_t>(-1);
};

// What a command may use of the process that runs it.
struct Session {
  const GeneralOptions& general;
  const config::OptionSet& options;
  Console& console;
  CancelToken cancel;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual const CommandInfo& info() const = 0;
  // Binds the command's options; the general ones are added by the caller.
  virtual void declare(config::OptionSet& options) = 0;
  // Where the columns of --log go; null: the command takes none, and --log is the form of messages alone.
  virtual std::vector<std::string>* log_columns() { return nullptr; }
  // Runs with options already stored; `arguments` are the positional ones, their number checked. Returns an
  // exit code.
  virtual int execute(const std::vector<std::string>& arguments, Session& session) = 0;
};

// The commands, in the order of help; a fresh object each.
std::vector<std::unique_ptr<Command>> make_commands();

// All options of a command: its own, then the general ones.
config::OptionSet all_options(Command& command, GeneralOptions& general);

}  // namespace lazylogit::cli
