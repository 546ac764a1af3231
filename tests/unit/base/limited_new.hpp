// The memory of a thread's `new` may be limited in this test program. A program has one operator new, so there is one limit.
#pragma once

namespace lazylogit::test {

// How many more allocations this thread may make; then one of them fails, and any number may follow. Negative: no limit.
// Without effect under sanitizers, which have allocators of their own.
extern thread_local long allocations_left;

}  // namespace lazylogit::test
