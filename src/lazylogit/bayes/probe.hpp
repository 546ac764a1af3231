// Random vectors of ±1 that can be made again at any time, from any place on, instead of being kept.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lazylogit::bayes {

inline constexpr std::size_t probes_of_word = 64;

// The signs of the probes [64·word, 64·word + 64) at one coordinate, bit by bit; 1 is +1. A counter through the finisher
// of SplitMix64.
inline std::uint64_t sign_word(std::uint64_t seed, std::size_t word, std::size_t coordinate) noexcept {
  const auto mixed = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  };
  const std::uint64_t stream = mixed(seed * 0x9e3779b97f4a7c15ULL + word + 1);
  return mixed(stream + (coordinate + 1) * 0x9e3779b97f4a7c15ULL);
}

// ±1.0 of one probe.
inline double sign_of(std::uint64_t seed, std::size_t probe, std::size_t coordinate) noexcept {
  const std::uint64_t word = sign_word(seed, probe / probes_of_word, coordinate);
  return ((word >> (probe % probes_of_word)) & 1) != 0 ? 1.0 : -1.0;
}

}  // namespace lazylogit::bayes
