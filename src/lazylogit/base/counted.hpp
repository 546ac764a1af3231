// Counts in sentences: "1 row", "2 rows", "1 class", "3 classes", "1 entry", "0 entries".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lazylogit {

// The noun as it stands after `count`; "index" becomes "indices".
std::string plural(std::uint64_t count, std::string_view noun);
// Both, in plain digits.
std::string counted(std::uint64_t count, std::string_view noun);

// "the only row", "all 3 rows".
std::string all_of(std::uint64_t count, std::string_view noun);
std::string_view is_or_are(std::uint64_t count);

}  // namespace lazylogit
