// The features of a VW line in one walk without messages: what nearly every line takes. vw_line.hpp reads the same
// grammar slowly and says what is wrong.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lazylogit/io/formats/pair_lanes.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

// The line reaches from the first bar to its end; the marks are its own. Writes ids and values of at most `line.size()/2` features,
// without zeros. `resolve(name)` gives a feature's id; a name with its namespace has at most `longest_name` bytes. Returns how many, and
// whether all values are 1; or −1 when something is odd: then nothing counts. The line holds no control characters but tabs and is
// followed by 64 readable bytes.
template <class T, class Resolve>
std::ptrdiff_t read_vw_features(std::string_view line, LineMarks& marks, std::size_t longest_name,
                                const Resolve& resolve, std::uint32_t* ids, T* values, bool& ones) {
  constexpr std::size_t longest = 1024;
  const std::size_t limit = std::min(longest, longest_name);
  constexpr double largest = sizeof(T) == sizeof(float) ? static_cast<double>(FLT_MAX) : DBL_MAX;
  char name[longest + 16];
  std::size_t prefix = 0;
  double scale = 1;
  std::ptrdiff_t count = 0;
  bool other = false;
  std::size_t alone = 0;  // so many are read here before a group is tried again
  const char* const end = line.data() + line.size();
  // The number between a colon and the mark after it.
  const auto read_factor = [&](const char* colon, const char* stop, double& value) {
    NumberStatus status = NumberStatus::malformed;
    return scan_number(colon + 1, end, value, status) == stop && status == NumberStatus::ok &&
           (stop == end || *stop != ':');
  };
  const auto add = [&](const char* from, std::size_t size, T value) {
    std::string_view whole(from, size);
    if (prefix > 0) {
      std::memcpy(name + prefix, from, size);
      whole = {name, prefix + size};
    }
    ids[count] = resolve(whole);
    values[count++] = value;
  };
  // Pairs after the blank that was the last mark; how many, or −1.
  const auto add_groups = [&]() -> std::ptrdiff_t {
    const PairMarks pairs = marks.rest();
    const T* const found = values + count;
    const std::size_t taken = take_values(pairs, values + count);
    for (std::size_t i = 0; i < taken; ++i) {
      const char* const from = pairs.base + pairs.marks[2 * i] + 1;
      const std::size_t size = pairs.marks[2 * i + 1] - pairs.marks[2 * i] - 1;
      if (size == 0 || prefix + size > limit) return -1;
      const T value = found[i];
      if (value == T{0}) continue;
      other |= value != T{1};
      add(from, size, value);
    }
    marks.skip(2 * taken);
    return static_cast<std::ptrdiff_t>(taken);
  };
  const char* from = line.data();
  for (const char* mark = marks.next();;) {
    if (mark == from) {
      if (mark == end) {
        ones = !other;
        return count;
      }
      if (*mark == ':') return -1;
      const bool bar = *mark == '|';
      if (!bar && alone == 0 && scale == 1) {
        const PairMarks pairs = marks.rest();
        const std::ptrdiff_t taken = add_groups();
        if (taken < 0) return -1;
        alone = pair_group;
        from = mark = pairs.base + pairs.marks[2 * taken];
        continue;
      }
      from = mark + 1;
      mark = marks.next();
      if (!bar) continue;
      prefix = static_cast<std::size_t>(mark - from);
      if (prefix >= limit) return -1;
      std::memcpy(name, from, prefix);
      if (prefix > 0) name[prefix++] = '^';
      scale = 1;
      if (mark < end && *mark == ':') {
        const char* const stop = marks.next();
        if (prefix == 0 || !read_factor(mark, stop, scale)) return -1;
        mark = stop;
      }
      from = mark;
      continue;
    }
    const auto size = static_cast<std::size_t>(mark - from);
    double value = 1;
    const char* stop = mark;
    if (mark < end && *mark == ':') {
      stop = marks.next();
      const bool is_one = stop - mark == 2 && mark[1] == '1' && *stop == ' ';  // of categories nearly all are
      if (!is_one && !read_factor(mark, stop, value)) return -1;
    }
    value *= scale;
    if (prefix + size > limit || !(std::fabs(value) <= largest)) return -1;
    if (value != 0) {
      other |= value != 1;
      add(from, size, static_cast<T>(value));
    }
    from = mark = stop;
    if (stop < end && *stop != '|' && alone > 0) {
      --alone;
      ++from;
      mark = marks.next();
    }
  }
}

}  // namespace lazylogit::io
