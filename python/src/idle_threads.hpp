// Threads that wait for work. A thread that uses TBB costs some kilobytes that TBB keeps when it ends: one for each fit
// would add up.
#pragma once

#include <functional>

namespace lazylogit::python {

// Starts `task`, which must not throw, on a thread that has nothing to do, or on a new one; false where the system has none
// to give. The thread does not touch anything of the caller's once the task has returned.
[[nodiscard]] bool run_on_idle_thread(std::function<void()> task);

}  // namespace lazylogit::python
