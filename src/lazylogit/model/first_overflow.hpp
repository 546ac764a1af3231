// The first of the rows that blocks, in any order, find beyond the range of numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

#include "lazylogit/model/predictor.hpp"

namespace lazylogit::model {

class FirstOverflow {
 public:
  void note(std::size_t row) noexcept {
    std::size_t known = row_.load();
    while (row < known && !row_.compare_exchange_weak(known, row)) {
    }
  }
  void throw_if_any() const {
    if (row_.load() != none) throw ScoreOverflow(row_.load());
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> row_{none};
};

}  // namespace lazylogit::model
