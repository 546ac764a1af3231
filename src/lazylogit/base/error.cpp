#include "lazylogit/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lazylogit/base/message_limit.hpp"
#include "lazylogit/base/printable.hpp"

namespace lazylogit {
namespace {

constexpr std::size_t max_quoted_bytes = 40;

// As printable(); stops before the result would exceed `budget` input bytes.
std::string escape(std::string_view text, std::size_t budget, bool* cut) {
  std::string out;
  std::size_t i = 0;
  *cut = false;
  while (i < text.size()) {
    const FirstCharacter first = first_character(text.substr(i));
    if (i + first.size > budget) {
      *cut = true;
      break;
    }
    append_printable(text.substr(i, first.size), first.is_printable, out);
    i += first.size;
  }
  return out;
}

const char* default_code(const ErrorDetail& detail) {
  switch (detail.kind) {
    case ErrorKind::usage:
      return detail.option.empty() ? "bad-usage" : "bad-option";
    case ErrorKind::input:
      return "bad-input";
    case ErrorKind::environment:
      return "environment";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

}  // namespace

ErrorDetail completed(ErrorDetail detail) {
  constexpr std::string_view word = " expected ";
  if (detail.code.empty()) detail.code = default_code(detail);
  const std::string& message = detail.message;
  std::size_t at = message.rfind(word);
  while (at != std::string::npos && at > 0 && message[at - 1] != ',' && message[at - 1] != ';')
    at = message.rfind(word, at - 1);
  const bool split = at != std::string::npos && at > 0;
  if (detail.expected.empty() && split) detail.expected = message.substr(at + word.size());
  if (detail.found.empty()) {
    const std::size_t begin = message.rfind("found ", 0) == 0 ? 6 : 0;
    detail.found = split ? message.substr(begin, std::max(at - 1, begin) - begin) : message.substr(begin);
  }
  return detail;
}

std::string quote_text(std::string_view text) {
  bool cut = false;
  std::string body = escape(text, max_quoted_bytes, &cut);
  return "\"" + body + (cut ? "...\"" : "\"");
}

std::string format_error(const ErrorDetail& detail, std::string_view severity) {
  bool cut = false;
  std::string place;
  if (!detail.file.empty()) {
    place = escape(detail.file, 200, &cut);
    if (detail.line > 0) place += fmt::format(":{}", detail.line);
    if (detail.line > 0 && detail.column > 0) place += fmt::format(":{}", detail.column);
    if (detail.byte) place += fmt::format(": byte {}", *detail.byte);
    place += ": ";
  }
  std::string text = fmt::format("{}{}: ", place, severity);
  if (!detail.option.empty()) text += fmt::format("option --{}: ", detail.option);
  text += detail.message;
  if (!detail.hint.empty()) text += "; " + detail.hint;
  std::string shown = escape(text, max_message_bytes - 3, &cut);
  if (shown.size() > max_message_bytes) shown.resize(max_message_bytes - 3), cut = true;
  return cut ? shown + "..." : shown;
}

Error::Error(ErrorDetail detail, std::vector<ErrorDetail> more)
    : detail_(completed(std::move(detail))), more_(std::move(more)), text_(format_error(detail_)) {}

ConfigError::ConfigError(std::string message, std::string option, std::string hint)
    : Error({.kind = ErrorKind::usage,
             .message = std::move(message),
             .hint = std::move(hint),
             .option = std::move(option)}) {}

InputError::InputError(ErrorDetail detail, std::vector<ErrorDetail> more)
    : Error(
          [&] {
            detail.kind = ErrorKind::input;
            return std::move(detail);
          }(),
          std::move(more)) {}

IoError::IoError(std::string file, std::string message, std::string hint)
    : Error({.kind = ErrorKind::environment,
             .message = std::move(message),
             .hint = std::move(hint),
             .file = std::move(file)}) {}

LimitError::LimitError(ErrorDetail detail)
    : Error([&] {
        detail.kind = ErrorKind::environment;
        return std::move(detail);
      }()) {}

}  // namespace lazylogit
