// Threads, without letting their number change a result.
//
// Work is cut into blocks whose limits depend on the data alone; each block writes its own place; partial
// sums are added in block order by the caller. So 1, 2 and 5 threads give identical bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace lazylogit {

// CPUs this process may use: the affinity mask and the cgroup's quota, at least 1.
std::size_t allowed_cpus();

// While alive, at most `threads` threads work (0: allowed_cpus()). Nested limits take the smaller one.
class ThreadLimit {
 public:
  explicit ThreadLimit(std::size_t threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// How many threads may work now: the smallest ThreadLimit alive, else what the machine offers.
std::size_t current_threads();

// Calls body(block) for each block in [0, num_blocks), in parallel, in no particular order. Rethrows the
// first exception.
void parallel_blocks(std::size_t num_blocks, const std::function<void(std::size_t)>& body);

// Tasks on the threads that parallel_blocks uses, begun in the background in no particular order. A task may
// start as late as wait(), and with one thread it does: callers that need a result sooner let the task and
// themselves compete for it. Tasks must not throw.
class TaskGroup {
 public:
  TaskGroup();
  ~TaskGroup();  // waits
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  void run(std::function<void()> task);
  void wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// How many blocks of `block_size` cover `count` items.
constexpr std::size_t num_blocks_of(std::size_t count, std::size_t block_size) {
  return (count + block_size - 1) / block_size;
}

}  // namespace lazylogit
