// Keeps what a mapped file showed when another program is about to write to it in place, or to cut it off.
//
// While it lives it holds a read lease of the file (Linux, fcntl F_SETLEASE): who opens the file for writing waits until the guard,
// on a thread of its own, has moved the mapped bytes into memory at the same addresses. Readers of the mapping notice nothing; who never meets
// a writer pays nothing. There is no lease, and no protection, where the file is open for writing already, belongs to another user, or lies in
// a file system without leases; and the bytes stay where they are when there is not enough memory for them.
// Must not be moved; the mapping must be private and outlive the guard. Pages that the program itself writes to at that moment may lose the change.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

namespace lazylogit {

class LeaseGuard {
 public:
  LeaseGuard(int descriptor, void* data, std::size_t size);
  ~LeaseGuard();
  LeaseGuard(const LeaseGuard&) = delete;
  LeaseGuard& operator=(const LeaseGuard&) = delete;

  bool holds_lease() const noexcept { return state_.load() == State::holding; }

 private:
  enum class State { starting, holding, without };
  void run() noexcept;
  bool take_lease(int& signals) noexcept;
  void move_to_memory() noexcept;

  int descriptor_ = -1, stop_ = -1;
  char* data_;
  std::size_t size_;
  std::atomic<State> state_ = State::starting;
  std::thread thread_;
};

}  // namespace lazylogit
