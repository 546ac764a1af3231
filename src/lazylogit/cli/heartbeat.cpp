#include "lazylogit/cli/heartbeat.hpp"

#include <chrono>
#include <exception>

#include "lazylogit/base/background_thread.hpp"

namespace lazylogit::cli {

Heartbeat::Heartbeat(Console& console) : console_(console) {
  try {
    thread_ = start_background_thread([this] { run(); });
  } catch (const std::exception&) {
    // No thread or no memory for one, no signs of life; the work itself does not need it.
  }
}

Heartbeat::~Heartbeat() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Heartbeat::run() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, 500ms, [this] { return end_; })) {
    try {
      console_.beat();
    } catch (const std::exception&) {
      return;  // out of memory: the work finds out by itself, and says so
    }
  }
}

}  // namespace lazylogit::cli
