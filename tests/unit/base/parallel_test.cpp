#include "lazylogit/base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "unit/base/limited_new.hpp"

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
      test::allocations_left = allowed;
      try {
        ThreadLimit limit(2);
        TaskGroup group;
        group.run([&] { ++done; });
        group.wait();
        std::exit(done == 1 ? 0 : 1);
      } catch (const std::bad_alloc&) {
        test::allocations_left = -1;
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
