// Where a feature goes under --hash-bits: the slot that is the lower bits of XXH3-64 (seed 0) of its name's bytes. The name
// is whole, as it would be without hashing: "job=teacher", "namespace^word".
//
// Inline, because names are short and a call costs as much as the hash: for the few files that hash many of them, or that
// may not include io.
#pragma once

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace lazylogit::data {

inline std::uint64_t feature_hash(std::string_view name) noexcept {
  return XXH3_64bits(name.data(), name.size());
}
inline std::uint64_t feature_slot(std::string_view name, int hash_bits) noexcept {
  return feature_hash(name) & ((std::uint64_t{1} << hash_bits) - 1);
}

}  // namespace lazylogit::data
