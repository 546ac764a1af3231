// Bytes of model files that tests have changed.
#pragma once

#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/model/model_file.hpp"

namespace lazylogit::test {

// The message with which these bytes are refused; empty when they are accepted.
inline std::string refusal(const std::string& bytes) {
  try {
    model::deserialize(bytes, "m");
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

// A damaged file whose checksum was made to fit.
inline std::string resealed(std::string bytes) {
  return bytes.replace(model::checksum_offset, model::checksum_digits, model::container_checksum(bytes));
}

}  // namespace lazylogit::test
