// Progressive validation: the loss of each example before it is learned, over all examples so far and over the last
// `window` of them. Means are weighted: Σ w · loss / Σ w. An estimate of the loss on new data that costs nothing (Blum, Kalai and
// Langford 1999). Sums beyond the range of a double stay at its end, where overflows() says so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lazylogit::optim {

class ProgressiveLoss {
 public:
  struct Sums {
    double loss = 0, correct = 0, weight = 0;
    double log_loss() const noexcept { return weight > 0 ? loss / weight : 0; }
    double accuracy() const noexcept { return weight > 0 ? correct / weight : 0; }
  };

  explicit ProgressiveLoss(std::size_t window) : ring_(window) {}
  void add(double loss, bool correct, double weight) {
    all_.loss = std::min(all_.loss + weight * loss, largest);
    all_.correct = std::min(all_.correct + (correct ? weight : 0), largest);
    all_.weight = std::min(all_.weight + weight, largest);
    ++count_;
    if (ring_.empty()) return;
    ring_[next_] = {weight * loss, correct ? weight : 0, weight};
    next_ = next_ + 1 == ring_.size() ? 0 : next_ + 1;
    if (kept_ < ring_.size()) ++kept_;
  }

  std::uint64_t count() const noexcept { return count_; }
  bool overflows() const noexcept { return all_.loss == largest || all_.weight == largest; }
  const Sums& all() const noexcept { return all_; }
  // Summed anew at each call: what leaves the window leaves no rounding behind.
  Sums window() const noexcept {
    Sums sums;
    for (std::size_t i = 0; i < kept_; ++i) {
      sums.loss += ring_[i].loss;
      sums.correct += ring_[i].correct;
      sums.weight += ring_[i].weight;
    }
    return sums;
  }
  std::size_t window_size() const noexcept { return kept_; }
  void resume(const Sums& all, std::uint64_t count) noexcept { all_ = all, count_ = count; }

 private:
  static constexpr double largest = std::numeric_limits<double>::max();

  Sums all_;
  std::uint64_t count_ = 0;
  std::vector<Sums> ring_;
  std::size_t next_ = 0, kept_ = 0;
};

}  // namespace lazylogit::optim
