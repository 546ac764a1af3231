// How long a fit has been running, and whether its caller wants an end. A fit may have several stages (epochs before exact
// steps, one start after another): each counts on from what those before it took, FitRequest::before, so that seconds
// and limits are always those of the whole fit.
#pragma once

#include <chrono>
#include <cstdint>

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

class FitClock {
 public:
  // `request` must outlive the clock, which starts now.
  explicit FitClock(const FitRequest& request) : request_(request) {}

  double seconds() const {
    return request_.before.seconds + std::chrono::duration<double>(Clock::now() - began_).count();
  }
  bool out_of_time() const { return request_.max_seconds && seconds() >= *request_.max_seconds; }
  bool interrupted() const { return request_.cancel.cancelled() || out_of_time(); }

  // What a stage that begins now has before it, when so many passes have been taken.
  Spent spent(std::uint64_t passes) const { return {passes, seconds()}; }

 private:
  using Clock = std::chrono::steady_clock;

  const FitRequest& request_;
  Clock::time_point began_ = Clock::now();
};

}  // namespace lazylogit::optim
