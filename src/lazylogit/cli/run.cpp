#include "lazylogit/cli/run.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/heartbeat.hpp"
#include "lazylogit/cli/last_resort.hpp"
#include "lazylogit/cli/pages/pages.hpp"
#include "lazylogit/cli/signals.hpp"
#include "lazylogit/config/nearest.hpp"

namespace lazylogit::cli {
namespace {

using Arguments = std::vector<std::string>;

int print_page(const std::string& text) {
  OutputFile out("-");
  out.write(text);
  out.commit();
  return exit_done;
}

// Options that the program takes instead of a command; the word after `--completions` is its value.
struct ProgramOption {
  const char* name;
  bool takes_value;
  std::string (*page)(const std::string& value);
};
constexpr ProgramOption program_options[] = {
    {"help", false, [](const std::string&) { return program_help(); }},
    {"version", false, [](const std::string&) { return version_text(); }},
    {"man", false, [](const std::string&) { return man_page(); }},
    {"reference", false, [](const std::string&) { return reference_page(); }},
    {"completions", true, [](const std::string& shell) { return completions(shell); }},
};

int run_program_option(const Arguments& arguments) {
  const std::string argument =
      arguments[0] == "-h" ? "help" : arguments[0].substr(arguments[0].find_first_not_of('-'));
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  std::vector<std::string> names;
  for (const ProgramOption& option : program_options) {
    names.emplace_back(option.name);
    if (name != option.name) continue;
    Arguments values(arguments.begin() + 1, arguments.end());
    if (equals != std::string::npos) values.insert(values.begin(), argument.substr(equals + 1));
    const std::size_t expected = option.takes_value ? 1 : 0;
    if (values.size() < expected) throw ConfigError("no value given", name);
    if (values.size() > expected)
      throw ConfigError(fmt::format("unexpected argument {}", quote_text(values[expected])), name);
    return print_page(option.page(expected == 1 ? values[0] : ""));
  }
  throw ConfigError("unknown option", name, config::did_you_mean(name, names, "--"));
}

std::unique_ptr<Command> find_command(const std::string& name) {
  std::vector<std::string> names;
  for (auto& command : make_commands()) {
    if (command->info().name == name) return std::move(command);
    names.push_back(command->info().name);
  }
  std::string hint = config::did_you_mean(name, names);
  throw Error({.kind = ErrorKind::usage,
               .message = fmt::format("unknown command {}, expected one of {}", quote_text(name),
                                      fmt::join(names, ", ")),
               .hint = hint.empty() ? "lazylogit --help lists them" : std::move(hint),
               .found = quote_text(name),
               .code = "unknown-command"});
}

bool asks_for_help(const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return false;
    if (argument == "--help" || argument == "-h") return true;
  }
  return false;
}

void check_argument_count(const CommandInfo& info, const Arguments& positional) {
  for (std::size_t i = 0; i < positional.size(); ++i)
    if (positional[i].empty())
      throw ConfigError(fmt::format("argument {} is empty (\"\"), expected the name of a file", i + 1));
  const bool few = positional.size() < info.min_arguments;
  if (!few && positional.size() <= info.max_arguments) return;
  const std::string problem =
      few ? std::string("arguments are missing")
          : fmt::format("unexpected argument {}", quote_text(positional[info.max_arguments]));
  throw ConfigError(fmt::format("{}, expected lazylogit {} {}", problem, info.name, info.arguments), "",
                    fmt::format("lazylogit {} --help has examples", info.name));
}

int run_command(const Arguments& arguments, Console& console) {
  const std::unique_ptr<Command> command = find_command(arguments[0]);
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (asks_for_help(rest)) return print_page(command_help(*command));
  GeneralOptions general;
  config::OptionSet options = all_options(*command, general);
  const Arguments positional = config::parse_arguments(rest, options);
  console.set_style({.quiet = general.quiet,
                     .json_events = general.log == "json",
                     .json_errors = general.json_errors,
                     .strict = general.strict});
  check_argument_count(command->info(), positional);
  refuse_output_equal_to_input("-", positional, "");
  const ThreadLimit limit(general.threads);
  console.set_phase("reading");
  const Heartbeat heartbeat(console);
  Session session{general, options, console, cancel_token()};
  return command->execute(positional, session);
}

int dispatch(const Arguments& arguments, Console& console) {
  if (arguments.empty())
    throw ConfigError("no command given, expected lazylogit COMMAND …", "",
                      "lazylogit --help lists the commands");
  if (arguments[0].size() > 1 && arguments[0][0] == '-' && arguments[0] != "--")
    return run_program_option(arguments);
  if (arguments[0] == "help")
    return print_page(arguments.size() > 1 ? command_help(*find_command(arguments[1])) : program_help());
  return run_command(arguments, console);
}

// How errors are to be shown has to be known before the options have been read.
ConsoleStyle style_before_parsing(const Arguments& arguments) {
  ConsoleStyle style;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json-errors") style.json_errors = true;
    if (arguments[i] == "--log=json" ||
        (arguments[i] == "--log" && i + 1 < arguments.size() && arguments[i + 1] == "json"))
      style.json_events = true;
  }
  return style;
}

// A short stable name for an internal error, so that two reports of one bug can be matched.
std::string identifier(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return fmt::format("{:08x}", hash);
}

ErrorDetail describe(const std::exception& problem) {
  if (const auto* error = dynamic_cast<const Error*>(&problem)) return error->detail();
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr)
    return {.kind = ErrorKind::environment,
            .message = "out of memory",
            .hint = "--hash-bits, --min-count or --precision float32 need less",
            .code = "out-of-memory"};
  // oneTBB says in words alone that there are no more threads: "pthread_create has failed: …".
  if (dynamic_cast<const std::system_error*>(&problem) != nullptr ||
      (dynamic_cast<const std::runtime_error*>(&problem) != nullptr &&
       std::string_view(problem.what()).starts_with("pthread_")))
    return {.kind = ErrorKind::environment,
            .message = fmt::format("a resource of the system is exhausted: {}", problem.what()),
            .code = "system-resource"};
  return {.kind = ErrorKind::internal, .message = problem.what()};
}

int report(ErrorDetail detail, Console& console) {
  if (detail.kind == ErrorKind::internal) {
    detail.hint = fmt::format("this is a bug of lazylogit {}, please report it with the identifier {}",
                              version_number(), identifier(detail.message));
    detail.message = "internal error: " + detail.message;
    detail.code = "internal";
  }
  console.error(detail);
  return exit_code_of(detail.kind);
}

}  // namespace

namespace {

int run_guarded(int argc, char** argv) {
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  Console console(style_before_parsing(arguments));
  int code = exit_internal;
  try {
    code = dispatch(arguments, console);
    console.finish();
  } catch (const std::exception& problem) {
    console.finish();
    end_by_signal();  // an error after a signal is a consequence of it
    code = report(describe(problem), console);
    if (const auto* error = dynamic_cast<const Error*>(&problem))
      for (const ErrorDetail& further : error->more()) console.error(further);
  } catch (...) {
    console.finish();
    code = report({.kind = ErrorKind::internal, .message = "an exception of unknown type"}, console);
  }
  return code;
}

}  // namespace

int run(int argc, char** argv) {
  install_last_resort();
  occupy_closed_streams();
  install_signal_handlers();
  try {
    return run_guarded(argc, argv);
  } catch (...) {  // not even enough memory to begin, or to say what went wrong
    end_at_once();
  }
}

}  // namespace lazylogit::cli
