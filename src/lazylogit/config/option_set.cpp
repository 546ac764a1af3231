#include "lazylogit/config/option_set.hpp"

#include <algorithm>

namespace lazylogit::config {

std::string Field::shown_default() const {
  if (kind == Kind::flag) return {};
  return default_text.empty() ? info.unset : default_text;
}

BoundField* OptionSet::find(std::string_view name) noexcept {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const BoundField& o) { return o.field->info.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

BoundField* OptionSet::find(char letter) noexcept {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const BoundField& o) { return o.field->info.letter == letter; });
  return found == options_.end() ? nullptr : &*found;
}

bool OptionSet::given(std::string_view name) const noexcept {
  return std::any_of(options_.begin(), options_.end(),
                     [&](const BoundField& o) { return o.given && o.field->info.name == name; });
}

void OptionSet::remove(std::initializer_list<std::string_view> names) {
  std::erase_if(options_, [&](const BoundField& o) { return contains(names, o.field->info.name); });
}

std::vector<std::string> OptionSet::names() const {
  std::vector<std::string> all;
  for (const BoundField& option : options_) all.push_back(option.field->info.name);
  return all;
}

bool OptionSet::contains(std::initializer_list<std::string_view> list, std::string_view word) noexcept {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace lazylogit::config
