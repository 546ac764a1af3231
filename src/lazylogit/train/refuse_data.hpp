// The error of data that cannot be learned from. The caller knows which file the data is from.
#pragma once

#include <string>
#include <utility>

#include "lazylogit/base/error.hpp"

namespace lazylogit::train {

[[noreturn]] inline void refuse_data(std::string code, std::string message, std::string hint = {}) {
  throw InputError({.message = std::move(message), .hint = std::move(hint), .code = std::move(code)});
}

}  // namespace lazylogit::train
