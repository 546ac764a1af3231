#include "lazylogit/cli/heartbeat.hpp"

#include <chrono>
#include <csignal>
#include <exception>

namespace lazylogit::cli {

Heartbeat::Heartbeat(Console& console) : console_(console) {
  // The new thread inherits the mask: signals must reach the thread that may sit in a read, so that it wakes up.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::exception&) {
    // No thread or no memory for one, no signs of life; the work itself does not need it.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
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
