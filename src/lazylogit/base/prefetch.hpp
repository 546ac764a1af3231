// Asks memory for a cache line that will be wanted soon; nothing else changes, and any address will do.
//
// Every function whose only purpose it is to ask must do it through these: g++ takes such a function for one without
// effects and leaves out the calls of it. The empty statement of assembly, which costs nothing, is the effect.
#pragma once

namespace lazylogit {

// Into the nearest cache.
inline void prefetch(const void* address) noexcept {
  __builtin_prefetch(address);
  asm volatile("");
}
// Into the cache behind it, which has room for all coefficients of a row; they will be changed.
inline void prefetch_to_change(const void* address) noexcept {
  __builtin_prefetch(address, 1, 2);
  asm volatile("");
}

}  // namespace lazylogit
