#include <fmt/format.h>

#include "lazylogit/cli/pages/option_text.hpp"
#include "lazylogit/cli/pages/pages.hpp"

namespace lazylogit::cli {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t help_column = 28;

std::string option_entry(const config::Field& field) {
  const std::string remark = option_remark(field);
  std::string text = field.info.help + (remark.empty() ? "" : " [" + remark + "]");
  std::string usage = "  " + option_usage(field);
  std::string body = wrap(text, help_column, page_width);
  if (display_width(usage) + 2 > help_column) return usage + "\n" + body;
  usage += std::string(help_column - display_width(usage), ' ');
  return usage + body.substr(help_column);
}

}  // namespace

std::string command_help(Command& command) {
  const CommandInfo& info = command.info();
  GeneralOptions general;
  const config::OptionSet options = all_options(command, general);
  std::string text = fmt::format("lazylogit {}: {}\n\nUsage: lazylogit {} [options] {}\n\n", info.name,
                                 info.summary, info.name, info.arguments);
  text += wrap(info.description, 0, page_width) + "\nExamples:\n";
  for (const UsageExample& example : info.examples)
    text += fmt::format("  lazylogit {}\n{}", example.line, wrap(example.meaning, 6, page_width));
  for (const std::string& group : group_names(options)) {
    text += fmt::format("\n{}:\n", group);
    for (const config::BoundField& option : options.options())
      if (option.field->info.group == group) text += option_entry(*option.field);
  }
  return text;
}

std::string program_help() {
  std::string text = fmt::format("lazylogit {}: {}\n\nUsage: lazylogit COMMAND [options] …\n\nCommands:\n",
                                 version_number(), program_summary);
  for (const auto& command : make_commands()) {
    const CommandInfo& info = command->info();
    const std::string usage = fmt::format("  {:<9} {}", info.name, info.arguments);
    text +=
        usage + std::string(36 - std::min<std::size_t>(35, display_width(usage)), ' ') + info.summary + "\n";
  }
  text +=
      "\nDATA is files, globs, or - for standard input; gzip and zstd are recognised by content. Formats: "
      "libsvm, vw,\n"
      "csv, tsv, jsonl, text, npy, npz. MODEL and the files that options read may be -, too, but only one of "
      "all.\n"
      "\nA first model:\n"
      "  lazylogit train data.csv -o model.safetensors\n"
      "  lazylogit predict model.safetensors new.csv\n"
      "\nlazylogit COMMAND --help shows the options of a command, with examples. Also:\n"
      "  --version                 version, compiler, SIMD target, features built in\n"
      "  --man                     the manual page (lazylogit --man | man -l -)\n"
      "  --completions SHELL       completions for bash, zsh or fish\n";
  return text;
}

}  // namespace lazylogit::cli
