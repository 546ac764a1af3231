// The temporary files of this process that wait for their rename, in a form that a signal handler may walk.
#pragma once

#include <atomic>

namespace lazylogit {

// A place in a fixed table: directory descriptor and name of one temporary file. Armed while alive.
class PendingOutput {
 public:
  // False when the table is full. `name` is a directory entry (at most 255 bytes).
  bool arm(int directory, const char* name) noexcept;
  void disarm() noexcept;
  ~PendingOutput() { disarm(); }

  PendingOutput() = default;
  PendingOutput(const PendingOutput&) = delete;
  PendingOutput& operator=(const PendingOutput&) = delete;

 private:
  int slot_ = -1;
};

}  // namespace lazylogit
