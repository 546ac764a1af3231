// The program's exit codes. Ended by signal n, the shell sees 128 + n.
#pragma once

#include "lazylogit/base/error.hpp"

namespace lazylogit::cli {

inline constexpr int exit_done = 0;           // all output written and flushed
inline constexpr int exit_input = 1;          // the content of an input or model is rejected
inline constexpr int exit_usage = 2;          // wrong usage
inline constexpr int exit_environment = 3;    // cannot open, read, write; a limit reached; out of memory
inline constexpr int exit_not_converged = 4;  // --require-convergence
inline constexpr int exit_internal = 70;      // a bug

constexpr int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return exit_usage;
    case ErrorKind::input:
      return exit_input;
    case ErrorKind::environment:
      return exit_environment;
    case ErrorKind::internal:
      break;
  }
  return exit_internal;
}

}  // namespace lazylogit::cli
