// What can be read about the program without running a command. All of it is derived from the list of
// commands and their option tables.
#pragma once

#include <string>
#include <string_view>

#include "lazylogit/cli/command.hpp"

namespace lazylogit::cli {

std::string program_help();
std::string command_help(Command& command);
std::string version_text();    // version, compiler, SIMD target, features built in
std::string version_number();  // "0.1.0"
std::string man_page();        // roff, section 1: the program and all its commands
std::string reference_page();  // markdown: docs/reference/commands.md
// The script for one of completion_shells(); ConfigError with the nearest name for any other.
std::string completions(std::string_view shell);
const std::vector<std::string>& completion_shells();

inline constexpr std::string_view program_summary = "logistic regression on sparse, large, real data";

}  // namespace lazylogit::cli
