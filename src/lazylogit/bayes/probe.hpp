// Random vectors of ±1 that can be made again at any time instead of being kept.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lazylogit/base/random.hpp"

namespace lazylogit::bayes {

// The signs of one probe, one after another: the same for the same seed and probe.
class SignStream {
 public:
  SignStream(std::uint64_t seed, std::size_t probe) noexcept
      : random_(seed * 0x9e3779b97f4a7c15ULL + probe + 1) {}
  std::uint64_t word() noexcept { return random_.next(); }  // the next 64 signs, bit by bit; 1 is +1

 private:
  Random random_;
};

// Calls body(i, ±1.0) for i in [0, count).
template <class Body>
void for_each_sign(std::uint64_t seed, std::size_t probe, std::size_t count, const Body& body) {
  SignStream stream(seed, probe);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 64 == 0) bits = stream.word();
    body(i, (bits & 1) != 0 ? 1.0 : -1.0);
    bits >>= 1;
  }
}

}  // namespace lazylogit::bayes
