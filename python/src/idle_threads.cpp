#include "idle_threads.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace lazylogit::python {
namespace {

struct Worker {
  std::mutex mutex;
  std::condition_variable given;
  std::function<void()> task;
};

// Never destroyed: its threads wait until the process ends.
struct Pool {
  pid_t process = ::getpid();
  std::mutex mutex;
  std::vector<Worker*> idle;
};

// A process that was forked has none of its parent's threads.
Pool& pool() {
  static std::atomic<Pool*> current = nullptr;
  Pool* known = current.load();
  if (known != nullptr && known->process == ::getpid()) return *known;
  auto fresh = std::make_unique<Pool>();
  return current.compare_exchange_strong(known, fresh.get()) ? *fresh.release() : *known;
}

void work_for_ever(Pool& pool, Worker& worker) {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(worker.mutex);
      worker.given.wait(lock, [&] { return worker.task != nullptr; });
      task = std::exchange(worker.task, nullptr);
    }
    task();
    const std::lock_guard lock(pool.mutex);
    pool.idle.push_back(&worker);
  }
}

Worker* idle_worker(Pool& pool) {
  const std::lock_guard lock(pool.mutex);
  if (!pool.idle.empty()) {
    Worker* const worker = pool.idle.back();
    pool.idle.pop_back();
    return worker;
  }
  auto worker = std::make_unique<Worker>();
  pool.idle.reserve(pool.idle.capacity() + 1);  // room for it when it comes back
  try {
    std::thread([&pool, one = worker.get()] { work_for_ever(pool, *one); }).detach();
  } catch (const std::system_error&) {
    return nullptr;
  }
  return worker.release();
}

}  // namespace

bool run_on_idle_thread(std::function<void()> task) {
  Worker* const worker = idle_worker(pool());
  if (worker == nullptr) return false;
  const std::lock_guard lock(worker->mutex);
  worker->task = std::move(task);
  worker->given.notify_one();
  return true;
}

}  // namespace lazylogit::python
