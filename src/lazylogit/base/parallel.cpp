#include "lazylogit/base/parallel.hpp"

#include <sched.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <new>
#include <utility>

#include "lazylogit/base/cgroup.hpp"

#ifdef LAZYLOGIT_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace lazylogit {
namespace {

// TBB sets itself up at its first use. Where memory is missing for that, the set-up counts as begun for ever and every
// later use waits for its end, the destructors of groups and limits too. So it happens here, before there is anything to
// wait for, and a failure is remembered.
void set_up_scheduler() {
  static const bool ready = [] {
    try {
      tbb::task_arena(1).initialize();
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }();
  if (!ready) throw std::bad_alloc();
}

}  // namespace

std::size_t allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::size_t count = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = static_cast<std::size_t>(CPU_COUNT(&set));
  if (const std::size_t quota = cgroup_cpus(); quota > 0) count = std::min(count, quota);
  return std::max<std::size_t>(1, count);
}

struct ThreadLimit::State {
  explicit State(std::size_t threads) : control(tbb::global_control::max_allowed_parallelism, threads) {}
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(std::size_t threads) {
  set_up_scheduler();
  state_ = std::make_unique<State>(threads == 0 ? allowed_cpus() : threads);
}
ThreadLimit::~ThreadLimit() = default;

std::size_t current_threads() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

void parallel_blocks(std::size_t num_blocks, const std::function<void(std::size_t)>& body) {
  if (num_blocks == 1) return body(0);
  set_up_scheduler();
#ifdef LAZYLOGIT_THREAD_SANITIZER
  // The distribution's TBB is not instrumented: tell the sanitizer what parallel_for orders, and no more than
  // that.
  char before = 0, after = 0;
  __tsan_release(&before);
  tbb::parallel_for(std::size_t{0}, num_blocks, [&](std::size_t block) {
    __tsan_acquire(&before);
    body(block);
    __tsan_release(&after);
  });
  __tsan_acquire(&after);
#else
  tbb::parallel_for(std::size_t{0}, num_blocks, body);
#endif
}

struct TaskGroup::State {
  tbb::task_group group;
#ifdef LAZYLOGIT_THREAD_SANITIZER
  char begun = 0, ended = 0;
#endif
};

TaskGroup::TaskGroup() {
  set_up_scheduler();
  state_ = std::make_unique<State>();
}
TaskGroup::~TaskGroup() { wait(); }

void TaskGroup::run(std::function<void()> task) {
#ifdef LAZYLOGIT_THREAD_SANITIZER
  __tsan_release(&state_->begun);
  state_->group.run([state = state_.get(), task = std::move(task)] {
    __tsan_acquire(&state->begun);
    task();
    __tsan_release(&state->ended);
  });
#else
  state_->group.run(std::move(task));
#endif
}

void TaskGroup::wait() {
  state_->group.wait();
#ifdef LAZYLOGIT_THREAD_SANITIZER
  __tsan_acquire(&state_->ended);
#endif
}

}  // namespace lazylogit
