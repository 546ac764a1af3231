// Labels that a reader of the data would take for one, or for none: "u" and "u " are two classes, and hardly ever meant
// so; nor is the only name among numbers.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/base/log.hpp"

namespace lazylogit::io {

// Warns of the first two labels that differ in blanks at their ends alone.
void warn_about_blanks(const std::vector<std::string>& labels, Log& log);

// Warns of the first two labels of two letters and more that differ in the case of ASCII letters alone: "Yes" and "yes".
void warn_about_case(const std::vector<std::string>& labels, Log& log);

// Warns of the only label that is a name where two and more are numbers: a mark for "unknown", a header, a number that
// is none ("0x1").
void warn_about_name_among_numbers(const std::vector<std::string>& labels, Log& log);

// Warns where most labels begin with a blank, as after the delimiters of a table that is made to look good.
void warn_about_leading_blanks(const std::vector<std::string>& labels, Log& log);

}  // namespace lazylogit::io
