// A thread that receives no signals: those are for the threads of the program, which look at the flags that handlers set,
// or must wake up from a read.
// Throws std::system_error where no thread can be had; the caller's own mask is as before in any case.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace lazylogit {

template <class Run>
std::thread start_background_thread(Run&& run) {
  // A new thread inherits the mask of the one that starts it.
  struct AllBlocked {
    sigset_t before;
    AllBlocked() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~AllBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  } const blocked;
  return std::thread(std::forward<Run>(run));
}

}  // namespace lazylogit
