// Standard output: where results go. Every write is checked; a failure is an IoError (exit 3).
#pragma once

#include <string_view>

#include "lazylogit/base/output_file.hpp"

namespace lazylogit::cli {

inline void print_result(std::string_view text) {
  OutputFile out("-");
  out.write(text);
  out.commit();
}

}  // namespace lazylogit::cli
