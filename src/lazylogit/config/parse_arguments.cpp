#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/names_elsewhere.hpp"
#include "lazylogit/config/nearest.hpp"
#include "lazylogit/config/option_set.hpp"

namespace lazylogit::config {
namespace {

std::string escaped(std::string_view text) {
  const std::string quoted = quote_text(text);
  return quoted.substr(1, quoted.size() - 2);
}

std::string hint_at_option(std::string_view name, const OptionSet& options) {
  const std::vector<std::string> names = options.names();
  const std::string_view meant = option_called_elsewhere(name);
  if (std::find(names.begin(), names.end(), meant) == names.end()) return did_you_mean(name, names, "--");
  return "did you mean \"--" + std::string(meant) + "\"?";
}

[[noreturn]] void unknown_option(std::string_view name, const OptionSet& options) {
  throw Error({.kind = ErrorKind::usage,
               .message = "unknown option",
               .hint = hint_at_option(name, options),
               .option = escaped(name),
               .found = quote_text(name),
               .code = "unknown-option"});
}

class ArgumentReader {
 public:
  ArgumentReader(const std::vector<std::string>& arguments, OptionSet& options)
      : arguments_(arguments), options_(options) {}

  std::vector<std::string> read() {
    bool options_ended = false;
    while (next_ < arguments_.size()) {
      const std::string_view argument = arguments_[next_++];
      if (options_ended || argument.size() < 2 || argument[0] != '-')
        positional_.emplace_back(argument);
      else if (argument == "--")
        options_ended = true;
      else if (argument[1] == '-')
        read_long(argument.substr(2));
      else
        read_letters(argument.substr(1));
    }
    return std::move(positional_);
  }

 private:
  void read_long(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    BoundField* option = options_.find(name);
    if (option == nullptr) unknown_option(name, options_);
    std::optional<std::string_view> value;
    if (equals != std::string_view::npos) value = argument.substr(equals + 1);
    store(*option, value);
  }

  // "-o FILE", "-oFILE", "-abc" for flags a, b and c.
  void read_letters(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      BoundField* option = options_.find(letters[i]);
      if (option == nullptr)
        throw Error({.kind = ErrorKind::usage,
                     .message = fmt::format("unknown option -{}", escaped(letters.substr(i, 1))),
                     .hint = "write a file name that begins with - as ./-name",
                     .found = quote_text(letters),
                     .code = "unknown-option"});
      if (option->field->takes_value() && !option->field->value_is_optional()) {
        const std::string_view rest = letters.substr(i + 1);
        store(*option, rest.empty() ? std::nullopt : std::optional(rest));
        return;
      }
      store(*option, std::nullopt);
    }
  }

  // A number after an option whose number may be left out is that number; a file of such a name is written ./10.
  bool next_is_its_number(const Field& field) const {
    if (next_ == arguments_.size()) return false;
    const std::string& next = arguments_[next_];
    return (field.kind == Kind::integer || field.kind == Kind::real) && !next.empty() && next[0] != '-' &&
           parse_real(next).has_value();
  }

  void store(BoundField& option, std::optional<std::string_view> value) {
    const Field& field = *option.field;
    if (option.given && field.kind != Kind::list)
      throw Error({.kind = ErrorKind::usage,
                   .message = "given twice, expected once",
                   .option = field.info.name,
                   .code = "repeated-option"});
    if (!value && field.kind == Kind::flag) value = "true";
    if (!value && field.value_is_optional() && !next_is_its_number(field)) value = field.info.bare;
    if (!value) {
      if (next_ == arguments_.size())
        throw Error(
            {.kind = ErrorKind::usage,
             .message = fmt::format("no value given, expected --{} {}", field.info.name, field.info.value),
             .option = field.info.name,
             .code = "missing-value"});
      value = arguments_[next_++];
    }
    option.set(*value);
    option.given = true;
  }

  const std::vector<std::string>& arguments_;
  OptionSet& options_;
  std::size_t next_ = 0;
  std::vector<std::string> positional_;
};

}  // namespace

std::vector<std::string> parse_arguments(const std::vector<std::string>& arguments, OptionSet& options) {
  return ArgumentReader(arguments, options).read();
}

}  // namespace lazylogit::config
