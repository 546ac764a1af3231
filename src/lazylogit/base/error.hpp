// Errors as values with a place: who is at fault, where, what was found, what was expected.
//
// One line, at most 500 bytes, in one of the forms
//   FILE:LINE:COLUMN: error: MESSAGE [; HINT]      text formats; both count from 1, columns in bytes
//   FILE: byte OFFSET: error: MESSAGE [; HINT]     binary formats
//   FILE: error: MESSAGE [; HINT]                  no place applies
//   error: option --NAME: MESSAGE [; HINT]         usage
// The library throws these and never prints. Exit codes belong to the program (cli/exit_code.hpp), which maps
// `kind`.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit {

enum class ErrorKind {
  usage,        // an option or an argument is wrong: exit 2
  input,        // the content of a data or model file is rejected: exit 1
  environment,  // cannot open, read, write; a limit reached; out of memory: exit 3
  internal,     // our bug: exit 70
};

struct ErrorDetail {
  ErrorKind kind = ErrorKind::internal;
  std::string message;       // what was found and what was expected, in one sentence without a final stop
  std::string hint = {};     // names the option that chooses, or the nearest name; may be empty
  std::string file = {};     // as the user typed it; "<stdin>" for standard input; empty: none applies
  std::uint64_t line = 0;    // 1-based physical line; 0: none applies
  std::uint64_t column = 0;  // 1-based byte within the line; 0: none applies
  std::optional<std::uint64_t> byte = {};  // 0-based offset in a binary file
  std::string option = {};                 // without the dashes
  std::string found = {};                  // the offending text, already quoted by quote_text()
  std::string expected = {};               // what would have been accepted, where it can be said apart
  std::string code = {};                   // a short stable identifier such as "bad-index"
};

// The detail with `found`, `expected` and `code` filled in where they are empty: the message's parts before and after
// ", expected" or "; expected" (the whole message is what was found when it has no such part), and a code by kind.
ErrorDetail completed(ErrorDetail detail);

// The line shown to a person; `severity` is "error" or "warning".
std::string format_error(const ErrorDetail& detail, std::string_view severity = "error");

// At most 40 bytes of `text` in double quotes; control bytes and invalid UTF-8 as \xNN; "..." marks a cut.
std::string quote_text(std::string_view text);

class Error : public std::exception {
 public:
  explicit Error(ErrorDetail detail, std::vector<ErrorDetail> more = {});
  const char* what() const noexcept override { return text_.c_str(); }
  const ErrorDetail& detail() const noexcept { return detail_; }  // completed()
  // Further errors of the same run, in order (--max-errors): shown one line each after detail().
  const std::vector<ErrorDetail>& more() const noexcept { return more_; }

 private:
  ErrorDetail detail_;
  std::vector<ErrorDetail> more_;
  std::string text_;
};

class ConfigError : public Error {  // the caller's mistake, found before any work
 public:
  explicit ConfigError(std::string message, std::string option = {}, std::string hint = {});
};

class InputError : public Error {  // bad content; the thrower fills the place
 public:
  explicit InputError(ErrorDetail detail, std::vector<ErrorDetail> more = {});
};

class IoError : public Error {  // the file system or a resource limit
 public:
  IoError(std::string file, std::string message, std::string hint = {});
};

class LimitError : public Error {  // a limit with an option is reached; the hint names the option
 public:
  explicit LimitError(ErrorDetail detail);
};

class Cancelled : public std::exception {  // a CancelToken was raised
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace lazylogit
