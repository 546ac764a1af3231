#include "lazylogit/config/nearest.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "lazylogit/base/ascii.hpp"

namespace lazylogit::config {
namespace {

constexpr std::size_t max_word = 64;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::size_t distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, max_word + 1>;
  Row before{}, previous{}, current{};
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before = previous;
    previous = current;
  }
  return previous[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > max_word) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > max_word) continue;
    const std::size_t found = trimmed(word) == trimmed(candidate) ? 0 : distance(word, candidate);
    const std::size_t allowed = std::max(word.size(), candidate.size()) / 3;
    const bool beginning = word.size() >= 3 && candidate.starts_with(word);
    if (found > allowed && !beginning) continue;
    if (best == nullptr || found < best_distance) best = &candidate, best_distance = found;
  }
  return best == nullptr ? std::nullopt : std::optional<std::string>(*best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         std::string_view prefix) {
  const auto found = nearest(word, candidates);
  return found ? "did you mean \"" + std::string(prefix) + *found + "\"?" : std::string();
}

}  // namespace lazylogit::config
