#include "lazylogit/cli/output_options.hpp"

#include <utility>

#include "lazylogit/base/output_file.hpp"

namespace lazylogit::cli {

config::Table<OutputOptions> output_fields(const std::string& what, const std::string& unset) {
  config::TableBuilder<OutputOptions> t;
  t.group("Output");
  t.add({.name = "out", .letter = 'o', .value = "FILE", .help = what, .unset = unset},
        &OutputOptions::output);
  return std::move(t).build();
}

void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  refuse_output_equal_to_input(output.empty() ? "-" : output, inputs, output.empty() ? "" : "out");
}

}  // namespace lazylogit::cli
