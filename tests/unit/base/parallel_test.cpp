#include "lazylogit/base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

// How many more allocations this thread may make; negative: any number.
thread_local long allocations_left = -1;

}  // namespace

// Sanitizers have allocators of their own, which stay.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(LAZYLOGIT_THREAD_SANITIZER)

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (allocations_left == 0) {
    allocations_left = -1;
    throw std::bad_alloc();
  }
  if (allocations_left > 0) --allocations_left;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif

namespace lazylogit {
namespace {

TEST(TaskGroup, runs_every_task_before_wait_returns) {
  std::atomic<int> done{0};
  TaskGroup group;
  for (int task = 0; task < 100; ++task) group.run([&] { ++done; });
  group.wait();
  EXPECT_EQ(done, 100);
}

// The scheduler's set-up is at the first use in a process, so each number of allocations gets a process: without memory
// for it the group is refused, now and later, and nothing waits.
TEST(TaskGroup, is_refused_where_memory_for_the_scheduler_is_missing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (long allowed = 0; allowed < 8; ++allowed) {
    const auto use = [allowed] {
      int done = 0;
      allocations_left = allowed;
      try {
        ThreadLimit limit(2);
        TaskGroup group;
        group.run([&] { ++done; });
        group.wait();
        std::exit(done == 1 ? 0 : 1);
      } catch (const std::bad_alloc&) {
        allocations_left = -1;
        done = 0;
      }
      try {
        TaskGroup group;
        group.run([&] { ++done; });
        group.wait();
        std::exit(done == 1 ? 0 : 1);
      } catch (const std::bad_alloc&) {
        std::exit(0);
      }
    };
    EXPECT_EXIT(use(), testing::ExitedWithCode(0), "") << "after " << allowed << " allocations";
  }
}

}  // namespace
}  // namespace lazylogit
