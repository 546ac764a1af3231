#include <fmt/format.h>

#include "lazylogit/cli/pages/option_text.hpp"
#include "lazylogit/cli/pages/pages.hpp"

namespace lazylogit::cli {
namespace {

// Text as roff takes it literally: backslashes and hyphens escaped, no line that begins with a control
// character.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string command_section(Command& command) {
  const CommandInfo& info = command.info();
  GeneralOptions general;
  const config::OptionSet options = all_options(command, general);
  std::string text =
      fmt::format(".SH LAZYLOGIT {}\n.B lazylogit {}\n[options] {}\n.PP\n{}\n", roff(info.name),
                  roff(info.name), roff(info.arguments), roff(info.description));
  for (const std::string& group : group_names(options)) {
    if (group == "General") continue;
    text += fmt::format(".SS {}\n", roff(group));
    for (const config::BoundField& option : options.options()) {
      if (option.field->info.group != group) continue;
      const std::string remark = option_remark(*option.field);
      text += fmt::format(".TP\n.B {}\n{}{}\n", roff(option_usage(*option.field)),
                          roff(option.field->info.help), remark.empty() ? "." : roff(" (" + remark + ")."));
    }
  }
  text += ".SS Examples\n";
  for (const UsageExample& example : info.examples)
    text += fmt::format(".TP\n.B lazylogit {}\n{}\n", roff(example.line), roff(example.meaning));
  return text;
}

}  // namespace

std::string man_page() {
  std::string text = fmt::format(
      ".TH LAZYLOGIT 1 \"\" \"lazylogit {}\" \"User Commands\"\n.SH NAME\nlazylogit \\- {}\n.SH SYNOPSIS\n"
      ".B lazylogit\nCOMMAND [options] ...\n",
      version_number(), roff(program_summary));
  text += ".SH COMMANDS\n";
  auto commands = make_commands();
  for (const auto& command : commands)
    text += fmt::format(".TP\n.B {} {}\n{}\n", roff(command->info().name), roff(command->info().arguments),
                        roff(command->info().summary));
  text += ".SH GENERAL OPTIONS\n";
  for (const config::Field& field : general_fields().fields)
    text += fmt::format(".TP\n.B {}\n{}.\n", roff(option_usage(field)), roff(field.info.help));
  for (const auto& command : commands) text += command_section(*command);
  text +=
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\ndone, all output written\n"
      ".TP\n.B 1\nthe content of an input or model was rejected\n"
      ".TP\n.B 2\nwrong usage\n"
      ".TP\n.B 3\ncannot open, read or write; a limit reached; out of memory\n"
      ".TP\n.B 4\nnot converged, and \\-\\-require\\-convergence was given\n"
      ".TP\n.B 70\ninternal error\n";
  return text;
}

}  // namespace lazylogit::cli
