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

#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/token_marks.hpp"

namespace lazylogit::io {

// Reads what stands from the first bar on and writes ids and values of at most `line.size()/2` features, without zeros.
// `resolve(name)` gives a feature's id; a name with its namespace has at most `longest_name` bytes. Returns how many, and whether all
// values are 1; or −1 when something is odd: then nothing counts. The line holds no control characters but tabs and is followed by 64 readable bytes.
template <class T, class Resolve>
std::ptrdiff_t read_vw_features(std::string_view line, std::size_t longest_name, const Resolve& resolve,
                                std::uint32_t* ids, T* values, bool& ones) {
  constexpr std::size_t longest = 1024;
  const std::size_t limit = std::min(longest, longest_name);
  constexpr double largest = sizeof(T) == sizeof(float) ? static_cast<double>(FLT_MAX) : DBL_MAX;
  char name[longest + 16];
  std::size_t prefix = 0;
  double scale = 1;
  std::ptrdiff_t count = 0;
  bool other = false;
  TokenMarks marks(line);
  const char* const end = line.data() + line.size();
  // The number between a colon and the mark after it.
  const auto read_factor = [&](const char* colon, const char* stop, double& value) {
    NumberStatus status = NumberStatus::malformed;
    return scan_number(colon + 1, end, value, status) == stop && status == NumberStatus::ok &&
           (stop == end || *stop != ':');
  };
  const char* from = line.data();
  for (const char* mark = marks.next();;) {
    if (mark == from) {
      if (mark == end) {
        ones = !other;
        return count;
      }
      if (*mark == ':') return -1;
      from = mark + 1;
      const bool bar = *mark == '|';
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
    std::string_view whole(from, size);
    if (prefix > 0) {
      std::memcpy(name + prefix, from, size);
      whole = {name, prefix + size};
    }
    from = mark = stop;
    if (stop < end && *stop != '|') {
      ++from;
      mark = marks.next();
    }
    if (value == 0) continue;
    other |= value != 1;
    ids[count] = resolve(whole);
    values[count] = static_cast<T>(value);
    ++count;
  }
}

}  // namespace lazylogit::io
