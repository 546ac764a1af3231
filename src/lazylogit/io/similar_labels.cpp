#include "lazylogit/io/similar_labels.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/data/decimal.hpp"
#include "lazylogit/io/columns/cell.hpp"

namespace lazylogit::io {

void warn_about_blanks(const std::vector<std::string>& labels, Log& log) {
  bool any = false;
  for (const std::string& label : labels) any = any || trim_blanks(label).size() < label.size();
  if (!any) return;
  std::unordered_map<std::string_view, const std::string*> seen;
  for (const std::string& label : labels) {
    const auto [place, is_new] = seen.emplace(trim_blanks(label), &label);
    if (is_new) continue;
    log.warning({.kind = ErrorKind::input,
                 .message = "the labels " + quote_text(*place->second) + " and " + quote_text(label) +
                            " differ in blanks alone and are two classes",
                 .hint = "take the blanks out if they are meant as one",
                 .code = "similar-labels"});
    return;
  }
}

void warn_about_case(const std::vector<std::string>& labels, Log& log) {
  std::unordered_map<std::string, const std::string*> seen;
  for (const std::string& label : labels) {
    if (label.size() < 2) continue;  // letters of an alphabet
    std::string lower = label;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    const auto [place, is_new] = seen.emplace(std::move(lower), &label);
    if (is_new) continue;
    log.warning({.kind = ErrorKind::input,
                 .message = "the labels " + quote_text(*place->second) + " and " + quote_text(label) +
                            " differ in upper and lower case alone and are two classes",
                 .hint = "write them alike if they are meant as one",
                 .code = "similar-labels"});
    return;
  }
}

void warn_about_name_among_numbers(const std::vector<std::string>& labels, Log& log) {
  const std::string* name = nullptr;
  for (const std::string& label : labels) {
    if (data::parse_decimal(label)) continue;
    if (name != nullptr) return;
    name = &label;
  }
  if (name == nullptr || labels.size() < 3) return;
  log.warning({.kind = ErrorKind::input,
               .message = "all labels are numbers but " + quote_text(*name) + ", which is a class of its own",
               .hint = "leave its rows out, or correct them, if it is not meant as one",
               .code = "name-among-numbers"});
}

void warn_about_leading_blanks(const std::vector<std::string>& labels, Log& log) {
  const auto blank = static_cast<std::size_t>(
      std::count_if(labels.begin(), labels.end(), [](const auto& label) { return label.starts_with(' '); }));
  if (blank == 0 || blank * 2 < labels.size()) return;
  const auto first =
      std::find_if(labels.begin(), labels.end(), [](const auto& l) { return l.starts_with(' '); });
  log.warning({.kind = ErrorKind::input,
               .message = "most labels begin with a blank, which is part of the label: " + quote_text(*first),
               .hint = "take out the blanks after the delimiters if they are not meant",
               .code = "blank-labels"});
}

}  // namespace lazylogit::io
