// The C library's reading of a number in the C locale: the reference for our own parser.
#pragma once

#include <locale.h>
#include <stdlib.h>

#include <string>

namespace lazylogit::test {

inline double reference_number(const std::string& text) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text.c_str(), nullptr, c_locale);
}

}  // namespace lazylogit::test
