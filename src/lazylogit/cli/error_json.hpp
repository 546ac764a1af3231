// Events on standard error as JSON: one object, one line, ASCII-safe for terminals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/log.hpp"

namespace lazylogit::cli {

// {"event": "error" | "warning", "kind", "code", "message", "file", "line", "column", "byte", "option",
// "found", "expected", "hint"}; what does not apply is null. Where the line would be longer than
// max_message_bytes, the longest texts are cut, which then end in "...": the message first, as what it says
// stands in the others.
std::string error_json(const ErrorDetail& detail, std::string_view event);
// A warning that stands for `count` more of a code, which were not shown: the same fields, and "count".
std::string held_back_json(const std::string& code, std::uint64_t count);
std::string notice_json(std::string_view sentence);
std::string progress_json(const Progress& progress, double seconds);

}  // namespace lazylogit::cli
