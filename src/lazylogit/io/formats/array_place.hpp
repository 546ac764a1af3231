// Where in a binary file an array stands, for error messages: "FILE: byte N: error: member "data.npy": …".
#pragma once

#include <cstdint>
#include <string>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

struct ArrayPlace {
  std::string file;              // as the user typed it
  std::string member = {};       // the archive member; empty for a plain .npy file
  std::uint64_t first_byte = 0;  // of the array in the file; of the member's data in an archive
  bool compressed = false;       // offsets inside the member do not exist in the file
};

// The error at `offset`, counted from the first byte of the array.
ErrorDetail describe_array_error(const ArrayPlace& place, std::uint64_t offset, const std::string& message,
                                 const std::string& hint = {});
// Throws it as InputError.
[[noreturn]] void reject_array(const ArrayPlace& place, std::uint64_t offset, const std::string& message,
                               const std::string& hint = {});

}  // namespace lazylogit::io
