#include "lazylogit/base/lease_guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "lazylogit/base/background_thread.hpp"

namespace lazylogit {
namespace {

// Bytes that the system could give out; 0 where it does not say.
std::uint64_t free_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::uint64_t kilobytes = 0;
  while (file >> name >> kilobytes && std::getline(file, unit))
    if (name == "MemAvailable:") return kilobytes * 1024;
  return 0;
}

}  // namespace

LeaseGuard::LeaseGuard(int descriptor, void* data, std::size_t size)
    : data_(static_cast<char*>(data)), size_(size) {
  descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  stop_ = ::eventfd(0, EFD_CLOEXEC);
  if (descriptor_ < 0 || stop_ < 0) {
    state_ = State::without;
    return;
  }
  try {
    thread_ =
        start_background_thread([this] { run(); });  // it waits for the signal of the lease by descriptor
  } catch (...) {
    state_ = State::without;
  }
  state_.wait(State::starting);
}

LeaseGuard::~LeaseGuard() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    while (::write(stop_, &one, sizeof one) < 0 && errno == EINTR) {
    }
    thread_.join();
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  if (stop_ >= 0) ::close(stop_);
}

bool LeaseGuard::take_lease(int& signals) noexcept {
  const int signal_number = SIGRTMAX - 1;
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal_number);
  signals = ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  const f_owner_ex owner{F_OWNER_TID, static_cast<pid_t>(::syscall(SYS_gettid))};
  return signals >= 0 && ::fcntl(descriptor_, F_SETSIG, signal_number) == 0 &&
         ::fcntl(descriptor_, F_SETOWN_EX, &owner) == 0 && ::fcntl(descriptor_, F_SETLEASE, F_RDLCK) == 0;
}

void LeaseGuard::run() noexcept {
  int signals = -1;
  const bool holding = take_lease(signals);
  state_ = holding ? State::holding : State::without;
  state_.notify_all();
  if (holding) {
    pollfd events[2] = {{signals, POLLIN, 0}, {stop_, POLLIN, 0}};
    while (::poll(events, 2, -1) < 0) {
    }
    if (events[1].revents == 0) move_to_memory();
    state_ = State::without;
    ::fcntl(descriptor_, F_SETLEASE, F_UNLCK);  // whoever waits goes on
  }
  if (signals >= 0) ::close(signals);
}

void LeaseGuard::move_to_memory() noexcept {
  constexpr std::size_t piece = std::size_t{1} << 25;
  std::uint64_t free_bytes = 0;
  try {
    free_bytes = free_memory();
  } catch (...) {  // no memory to ask for memory
  }
  if (size_ > free_bytes) return;
  for (std::size_t from = 0; from < size_; from += piece) {
    const std::size_t count = std::min(piece, size_ - from);
    void* const copy = ::mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return;
    std::memcpy(copy, data_ + from, count);
    if (::mremap(copy, count, count, MREMAP_MAYMOVE | MREMAP_FIXED, data_ + from) == MAP_FAILED) {
      ::munmap(copy, count);
      return;
    }
  }
}

}  // namespace lazylogit
