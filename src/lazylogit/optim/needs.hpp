// What optimizers need of a problem, declared as data: asked before a fit, printed on the reference page, and what the
// sentences about impossible pairs are made from.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/prior/prior_table.hpp"

namespace lazylogit::optim {

enum class Need : std::uint8_t {
  separable_prior,   // of each coefficient by itself: no covariance
  smooth_prior,      // without kinks
  convex_prior,      // with one minimum
  few_coefficients,  // their square fits in memory
  own_columns,       // not centred, which would fill them
};

// Some of them.
class Needs {
 public:
  constexpr Needs(std::initializer_list<Need> needs) {
    for (const Need need : needs) bits_ |= bit(need);
  }
  constexpr bool has(Need need) const noexcept { return (bits_ & bit(need)) != 0; }

 private:
  static constexpr unsigned bit(Need need) noexcept { return 1U << static_cast<unsigned>(need); }
  unsigned bits_ = 0;
};

// The part of a problem that optimizers may not take.
struct Conditions {
  const prior::PriorTable& prior;
  bool centered = false;  // columns less their means, which no free intercept takes up
};

struct NeedEntry {
  Need need;
  std::string what;  // follows "needs"
  // What is in the way of it, as a sentence; nothing where it is met.
  std::optional<std::string> (*missing)(const Conditions& conditions);
};
std::span<const NeedEntry> all_needs();

// "a", "a or b", "a, b or c".
std::string one_of(std::vector<std::string_view> names);

// Some coefficient's prior has one.
bool has_kink(const prior::PriorTable& prior);

}  // namespace lazylogit::optim
