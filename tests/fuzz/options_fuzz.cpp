// The option parser: arguments are the input's lines, the first names the command. Whatever they are, they are stored or
// refused with a usage error in the fixed form; what was stored reads back to the same text.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/cli/command.hpp"
#include "lazylogit/config/option_set.hpp"

namespace {

using namespace lazylogit;

std::vector<std::string> split_lines(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == '\n')
      lines.emplace_back();
    else
      lines.back() += static_cast<char>(data[i]);
  }
  return lines;
}

void check_round_trip(const config::OptionSet& options) {
  for (const config::BoundField& option : options.options()) {
    if (!option.given || option.field->kind == config::Kind::list) continue;
    const std::string text = option.text();
    if (text.empty()) continue;
    option.set(text);
    if (option.text() != text) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> arguments = split_lines(data, size);
  const std::string name = arguments.front();
  arguments.erase(arguments.begin());
  for (const auto& command : cli::make_commands()) {
    if (command->info().name != name) continue;
    cli::GeneralOptions general;
    config::OptionSet options = cli::all_options(*command, general);
    try {
      config::parse_arguments(arguments, options);
      check_round_trip(options);
    } catch (const Error& error) {
      const std::string text = error.what();
      if (error.detail().kind != ErrorKind::usage || !text.starts_with("error: ") || text.size() > 500)
        std::abort();
    }
  }
  return 0;
}
