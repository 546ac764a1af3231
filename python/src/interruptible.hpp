// Long work without the GIL, on another thread, while the calling thread looks for Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "idle_threads.hpp"
#include "lazylogit/base/cancel.hpp"

namespace lazylogit::python {

// body(const CancelToken&) must end soon once the token is cancelled. `tick` is called with the GIL about 20 times a
// second and once at the end; what it throws ends the work. Rethrows what the body throws; KeyboardInterrupt (or whatever
// a signal handler raised) wins. Where the system has no thread to give, the calling one does the work and nothing interrupts it.
template <class Body, class Tick>
void run_interruptibly(const Body& body, const Tick& tick) {
  std::atomic<bool> flag = false;
  std::exception_ptr failure, interruption;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  const auto work = [&] {
    try {
      body(CancelToken(&flag));
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  };
  if (!run_on_idle_thread(std::ref(work))) {
    const nanobind::gil_scoped_release release;
    work();
  }
  for (bool ended = false; !ended;) {
    {
      const nanobind::gil_scoped_release release;
      std::unique_lock lock(mutex);
      ended = changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });
    }
    if (interruption) continue;
    try {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      tick();
    } catch (...) {
      interruption = std::current_exception();
      flag = true;
    }
  }
  if (interruption) std::rethrow_exception(interruption);
  if (failure) std::rethrow_exception(failure);
}

template <class Body>
void run_interruptibly(const Body& body) {
  run_interruptibly(body, [] {});
}

}  // namespace lazylogit::python
