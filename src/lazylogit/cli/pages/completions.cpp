#include <fmt/format.h>

#include "lazylogit/base/error.hpp"
#include "lazylogit/cli/pages/option_text.hpp"
#include "lazylogit/cli/pages/pages.hpp"
#include "lazylogit/config/nearest.hpp"

namespace lazylogit::cli {
namespace {

struct CommandOptions {
  std::unique_ptr<Command> command;
  GeneralOptions general;
  config::OptionSet options;
};

std::vector<std::unique_ptr<CommandOptions>> commands_with_options() {
  std::vector<std::unique_ptr<CommandOptions>> all;
  for (auto& command : make_commands()) {
    auto entry = std::make_unique<CommandOptions>();
    entry->command = std::move(command);
    entry->options = all_options(*entry->command, entry->general);
    all.push_back(std::move(entry));
  }
  return all;
}

// A text inside single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string bash_script() {
  std::string names, cases, values;
  for (const auto& entry : commands_with_options()) {
    const std::string& command = entry->command->info().name;
    std::string options;
    names += (names.empty() ? "" : " ") + command;
    for (const config::BoundField& option : entry->options.options()) {
      options += " --" + option.field->info.name;
      if (!option.field->info.choices.empty())
        values += fmt::format("    {}:--{}) words='{}' ;;\n", command, option.field->info.name,
                              fmt::join(option.field->info.choices, " "));
    }
    cases += fmt::format("    {}) words='{}' ;;\n", command, options.substr(1));
  }
  return "_lazylogit() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '" +
         names +
         " --help --version --man --completions' -- \"$current\"))\n"
         "    return\n"
         "  fi\n"
         "  case ${COMP_WORDS[1]}:$previous in\n" +
         values +
         "  esac\n"
         "  if [ -z \"$words\" ] && [[ $current == -* ]]; then\n"
         "    case ${COMP_WORDS[1]} in\n" +
         cases +
         "    esac\n"
         "  fi\n"
         "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
         "}\n"
         "complete -o filenames -F _lazylogit lazylogit\n";
}

std::string zsh_script() {
  std::string names, cases;
  const auto escaped = [](std::string_view text) {  // inside [...] of an _arguments specification
    std::string out;
    for (const char c : shell_quoted(text)) {
      if (c == '[' || c == ']' || c == ':') out += '\\';
      out += c;
    }
    return out;
  };
  for (const auto& entry : commands_with_options()) {
    const CommandInfo& info = entry->command->info();
    names += fmt::format("    '{}:{}'\n", info.name, shell_quoted(info.summary));
    cases += fmt::format("    {}) _arguments \\\n", info.name);
    for (const config::BoundField& option : entry->options.options()) {
      const config::Field& field = *option.field;
      const bool list = field.kind == config::Kind::list;
      cases += fmt::format("      '{}--{}{}[{}]", list ? "*" : "", field.info.name,
                           field.value_is_optional() ? "=-"
                           : field.takes_value()     ? "="
                                                     : "",
                           escaped(field.info.help));
      if (!field.info.choices.empty())
        cases += fmt::format(":value:({})", fmt::join(field.info.choices, " "));
      else if (field.takes_value())
        cases += fmt::format("{}:value:_files", field.value_is_optional() ? ":" : "");
      cases += "' \\\n";
    }
    cases += "      '*:file:_files' ;;\n";
  }
  return "#compdef lazylogit\n_lazylogit() {\n  local -a commands\n  commands=(\n" + names +
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  local command=$words[2]\n  shift words; (( CURRENT-- ))\n  case $command in\n" +
         cases + "  esac\n}\n_lazylogit \"$@\"\n";
}

std::string fish_script() {
  std::string text;
  for (const auto& entry : commands_with_options()) {
    const CommandInfo& info = entry->command->info();
    text += fmt::format("complete -c lazylogit -n __fish_use_subcommand -f -a {} -d '{}'\n", info.name,
                        shell_quoted(info.summary));
    for (const config::BoundField& option : entry->options.options()) {
      const config::Field& field = *option.field;
      text += fmt::format("complete -c lazylogit -n '__fish_seen_subcommand_from {}' -l {}", info.name,
                          field.info.name);
      if (field.info.letter != 0) text += fmt::format(" -s {}", field.info.letter);
      if (!field.info.choices.empty())
        text += fmt::format(" -x -a '{}'", fmt::join(field.info.choices, " "));
      else if (field.takes_value() && !field.value_is_optional())
        text += " -r";
      text += fmt::format(" -d '{}'\n", shell_quoted(field.info.help));
    }
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*script)();
};
constexpr Shell shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Shell& shell : shells) list.emplace_back(shell.name);
    return list;
  }();
  return names;
}

std::string completions(std::string_view name) {
  for (const Shell& shell : shells)
    if (shell.name == name) return shell.script();
  throw ConfigError(
      fmt::format("found {}, expected one of {}", quote_text(name), fmt::join(completion_shells(), ", ")),
      "completions", config::did_you_mean(name, completion_shells()));
}

}  // namespace lazylogit::cli
