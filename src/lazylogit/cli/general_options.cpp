#include "lazylogit/cli/general_options.hpp"

#include <utility>

namespace lazylogit::cli {
namespace {

using Table = config::Table<GeneralOptions>;

// Two words are forms of messages, for ever; any other value is the name of a column.
void set_log(const config::FieldInfo& info, GeneralOptions& options, std::string_view text) {
  std::vector<std::string> items;
  config::assign_value(info, text, items);
  for (std::string& item : items) {
    if (item == "text" || item == "json")
      options.log = std::move(item);
    else
      options.log_columns->push_back(std::move(item));
  }
}

Table make_table(bool with_columns) {
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
  config::FieldInfo log = {.name = "log",
                           .value = "FORM",
                           .help = "messages on standard error as text, or as one JSON object per event",
                           .choices = {"text", "json"}};
  if (with_columns) {
    log.value = "NAME,…|FORM";
    log.help =
        "numeric columns whose natural logarithm is a feature beside them, \"log(NAME)\"; the words text and "
        "json are "
        "no columns but the form of messages on standard error: text, or one JSON object per event";
    log.choices.clear();
  }
  t.add(log, &GeneralOptions::log);
  t.add({.name = "json-errors", .help = "errors and warnings as JSON objects"}, &GeneralOptions::json_errors);
  t.add({.name = "strict", .help = "take warnings as errors"}, &GeneralOptions::strict);
  t.add({.name = "help", .letter = 'h', .help = "show this help"}, &GeneralOptions::help);
  Table table = std::move(t).build();
  for (config::Field& field : table.fields) {
    if (!with_columns || field.info.name != "log") continue;
    field.kind = config::Kind::list;
    const config::FieldInfo info = field.info;
    field.set = [info](void* object, std::string_view text) {
      set_log(info, *static_cast<GeneralOptions*>(object), text);
    };
  }
  return table;
}

}  // namespace

const Table& general_fields() {
  static const Table table = make_table(false);
  return table;
}

const Table& general_fields_with_columns() {
  static const Table table = make_table(true);
  return table;
}

}  // namespace lazylogit::cli
