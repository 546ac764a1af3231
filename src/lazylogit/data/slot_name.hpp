// Features that are hashed have lost their names, and are called by their slot: "#123".
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace lazylogit::data {

inline std::string slot_name(std::uint64_t slot) { return "#" + std::to_string(slot); }

inline bool is_slot_name(std::string_view name) noexcept {
  return name.size() > 1 && name[0] == '#' &&
         std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace lazylogit::data
