// A sign of life from work that reports no progress of its own: while it exists, Console::beat() is called twice a
// second from a thread that takes no signals. Without a thread (the system may have none left) there are no signs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "lazylogit/cli/console.hpp"

namespace lazylogit::cli {

class Heartbeat {
 public:
  explicit Heartbeat(Console& console);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void run();

  Console& console_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace lazylogit::cli
