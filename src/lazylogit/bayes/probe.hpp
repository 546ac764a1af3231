// Random vectors of ±1 that can be made again at any time instead of being kept.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lazylogit/base/random.hpp"

namespace lazylogit::bayes {

// Calls body(i, ±1.0) for i in [0, count): the same signs for the same seed and probe.
template <class Body>
void for_each_sign(std::uint64_t seed, std::size_t probe, std::size_t count, const Body& body) {
  Random random(seed * 0x9e3779b97f4a7c15ULL + probe + 1);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 64 == 0) bits = random.next();
    body(i, (bits & 1) != 0 ? 1.0 : -1.0);
    bits >>= 1;
  }
}

}  // namespace lazylogit::bayes
