// Kinds of characters of ASCII, whatever the locale.
#pragma once

namespace lazylogit {

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

}  // namespace lazylogit
