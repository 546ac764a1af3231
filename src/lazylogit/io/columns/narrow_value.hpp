// A value of a table as float32: rounded; beyond its range an InputError that names the value.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

[[noreturn]] inline void fail_narrow(double value) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.message = "the value " + std::to_string(value) + " is beyond the range of float32";
  detail.hint = "--precision float64 holds it";
  detail.code = "overflow";
  throw InputError(std::move(detail));
}

inline float narrow_value(double value) {
  const float narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) fail_narrow(value);
  return narrow;
}

}  // namespace lazylogit::io
