// Long work without the GIL, on a thread of its own, while the calling thread looks for Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "lazylogit/base/cancel.hpp"

namespace lazylogit::python {

// body(const CancelToken&) must end soon once the token is cancelled. Rethrows what it throws; KeyboardInterrupt (or whatever
// a signal handler raised) wins.
template <class Body>
void run_interruptibly(const Body& body) {
  std::atomic<bool> flag = false;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    try {
      body(CancelToken(&flag));
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  bool interrupted = false;
  for (;;) {
    {
      const nanobind::gil_scoped_release release;
      std::unique_lock lock(mutex);
      if (changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) break;
    }
    if (!interrupted && PyErr_CheckSignals() != 0) {
      interrupted = true;
      flag = true;
    }
  }
  worker.join();
  if (interrupted) throw nanobind::python_error();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lazylogit::python
