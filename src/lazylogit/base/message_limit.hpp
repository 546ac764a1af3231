// How long an error or a warning may be as one line, whether it is written as text or as JSON.
#pragma once

#include <cstddef>

namespace lazylogit {

inline constexpr std::size_t max_message_bytes = 500;

}  // namespace lazylogit
