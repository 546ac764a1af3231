// How a thread that waits for the bytes of a pipe is told that nobody wants them any more.
//
// A thread that reads on behalf of another one names a flag; pipes read by that thread look at it while they wait and
// throw Cancelled once it is up. Threads without a flag wait as the system does.
#pragma once

#include <atomic>

namespace lazylogit::io {

class StopReading {
 public:
  explicit StopReading(const std::atomic<bool>& flag) noexcept { flag_ = &flag; }
  ~StopReading() { flag_ = nullptr; }
  StopReading(const StopReading&) = delete;
  StopReading& operator=(const StopReading&) = delete;
  static const std::atomic<bool>* flag() noexcept { return flag_; }

 private:
  static inline thread_local const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace lazylogit::io
