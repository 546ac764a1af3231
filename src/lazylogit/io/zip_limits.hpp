// The largest numbers that fields of zip records hold; larger ones stand in records of zip64.
#pragma once

#include <cstdint>

namespace lazylogit::io {

inline constexpr std::uint64_t zip_max16 = 0xFFFF, zip_max32 = 0xFFFFFFFF;

}  // namespace lazylogit::io
