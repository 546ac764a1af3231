// A flag that asks long work to stop. The program raises it from a signal handler; the library only looks.
#pragma once

#include <atomic>

#include "lazylogit/base/error.hpp"

namespace lazylogit {

class CancelToken {
 public:
  CancelToken() = default;  // never cancelled
  explicit CancelToken(const std::atomic<bool>* flag) : flag_(flag) {}
  bool cancelled() const noexcept { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }
  void throw_if_cancelled() const {
    if (cancelled()) throw Cancelled();
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace lazylogit
