// What any compressed file may expand to; beyond it, --max-expansion times its size.
#pragma once

#include <cstdint>

namespace lazylogit::io {

inline constexpr std::uint64_t free_expansion = std::uint64_t{64} << 20;

}  // namespace lazylogit::io
