// Pieces of text about one option that several pages share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/config/option_set.hpp"

namespace lazylogit::cli {

std::string option_usage(const config::Field& field);  // "-o, --output FILE", "--explain[=N]", "--quiet"
std::string option_remark(
    const config::Field& field);  // "one of a, b; default a", "repeatable"; may be empty

// Breaks `text` at blanks into lines of at most `width` columns (UTF-8 sequences count one), each begun with
// `indent` blanks.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width);
std::size_t display_width(std::string_view text);

// The groups of the options in order of first appearance.
std::vector<std::string> group_names(const config::OptionSet& options);

}  // namespace lazylogit::cli
