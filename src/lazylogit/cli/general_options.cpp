#include "lazylogit/cli/general_options.hpp"

#include <utility>

namespace lazylogit::cli {

const config::Table<GeneralOptions>& general_fields() {
  static const config::Table<GeneralOptions> table = [] {
    config::TableBuilder<GeneralOptions> t;
    t.group("General");
    t.add({.name = "threads",
           .letter = 'j',
           .value = "T",
           .help = "threads to work with; 0: as many as this process may use. The result is the same for any "
                   "number",
           .bounds = config::between(0, 1024)},
          &GeneralOptions::threads);
    t.add({.name = "quiet", .letter = 'q', .help = "say nothing but warnings and errors"},
          &GeneralOptions::quiet);
    t.add({.name = "log",
           .value = "FORM",
           .help = "messages on standard error as text, or as one JSON object per event",
           .choices = {"text", "json"}},
          &GeneralOptions::log);
    t.add({.name = "json-errors", .help = "errors and warnings as JSON objects"},
          &GeneralOptions::json_errors);
    t.add({.name = "strict", .help = "take warnings as errors"}, &GeneralOptions::strict);
    t.add({.name = "help", .letter = 'h', .help = "show this help"}, &GeneralOptions::help);
    return std::move(t).build();
  }();
  return table;
}

}  // namespace lazylogit::cli
