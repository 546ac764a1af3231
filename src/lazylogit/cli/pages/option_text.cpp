#include "lazylogit/cli/pages/option_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lazylogit::cli {

std::string option_usage(const config::Field& field) {
  std::string text;
  if (field.info.letter != 0) text += fmt::format("-{}, ", field.info.letter);
  text += "--" + field.info.name;
  if (field.value_is_optional())
    text += fmt::format("[={}]", field.info.value);
  else if (field.takes_value())
    text += " " + field.info.value;
  return text;
}

std::string option_remark(const config::Field& field) {
  std::vector<std::string> parts;
  if (!field.info.choices.empty())
    parts.push_back(fmt::format("one of {}", fmt::join(field.info.choices, ", ")));
  if (field.kind == config::Kind::list) parts.emplace_back("repeatable");
  if (field.value_is_optional()) parts.push_back(fmt::format("alone: {}", field.info.bare));
  if (const std::string text = field.shown_default(); !text.empty()) parts.push_back("default " + text);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (!line.empty() && indent + display_width(line) + 1 + display_width(word) > width) end_line();
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
  }
  end_line();
  return out;
}

std::vector<std::string> group_names(const config::OptionSet& options) {
  std::vector<std::string> names;
  for (const config::BoundField& option : options.options()) {
    const std::string& group = option.field->info.group;
    if (std::find(names.begin(), names.end(), group) == names.end()) names.push_back(group);
  }
  return names;
}

}  // namespace lazylogit::cli
