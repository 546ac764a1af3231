#include "lazylogit/base/counted.hpp"

namespace lazylogit {

std::string plural(std::uint64_t count, std::string_view noun) {
  std::string text(noun);
  if (count == 1) return text;
  const auto replace_end = [&](std::size_t size, const char* end) {
    return text.replace(text.size() - size, size, end);
  };
  if (noun.ends_with("index")) return replace_end(2, "ices");
  if (noun.ends_with("ss") || noun.ends_with("x")) return text + "es";
  if (noun.ends_with("y") && !noun.ends_with("ay")) return replace_end(1, "ies");
  return text + "s";
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + plural(count, noun);
}

std::string all_of(std::uint64_t count, std::string_view noun) {
  return count == 1 ? "the only " + std::string(noun) : "all " + counted(count, noun);
}

std::string_view is_or_are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

}  // namespace lazylogit
