#include "lazylogit/io/similar_labels.hpp"

#include <string_view>
#include <unordered_map>

#include "lazylogit/base/error.hpp"
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
    log.warning({.message = "the labels " + quote_text(*place->second) + " and " + quote_text(label) +
                            " differ in blanks alone and are two classes",
                 .hint = "take the blanks out if they are meant as one",
                 .code = "similar-labels"});
    return;
  }
}

}  // namespace lazylogit::io
