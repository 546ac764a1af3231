// Where results go: standard output or a file. Every write is checked; a failure is an IoError (exit 3).
#pragma once

#include <string_view>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/base/printable.hpp"

namespace lazylogit::cli {

// Files and pipes get `text` as it is; on a terminal control characters, which names in data may have, are escaped.
// `text` ends between two characters.
inline void write_result(OutputFile& out, std::string_view text) {
  if (out.is_terminal())
    out.write(printable_lines(text));
  else
    out.write(text);
}

inline void print_result(std::string_view text) {
  OutputFile out("-");
  write_result(out, text);
  out.commit();
}

}  // namespace lazylogit::cli
