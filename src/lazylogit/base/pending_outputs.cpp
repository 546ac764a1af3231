#include "lazylogit/base/pending_outputs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lazylogit/base/output_file.hpp"

namespace lazylogit {
namespace {

enum SlotState : int { free_slot, filling, armed };

struct Slot {
  std::atomic<int> state{free_slot};
  int directory = -1;
  char name[256] = {};
};

constexpr int num_slots = 64;
Slot slots[num_slots];  // constant-initialised: valid before and after everything else in the process

static_assert(std::atomic<int>::is_always_lock_free, "a signal handler reads the states");

}  // namespace

bool PendingOutput::arm(int directory, const char* name) noexcept {
  for (int i = 0; i < num_slots; ++i) {
    int expected = free_slot;
    if (!slots[i].state.compare_exchange_strong(expected, filling)) continue;
    slots[i].directory = directory;
    std::strncpy(slots[i].name, name, sizeof slots[i].name - 1);
    slots[i].name[sizeof slots[i].name - 1] = '\0';
    slots[i].state.store(armed);
    slot_ = i;
    return true;
  }
  return false;
}

void PendingOutput::disarm() noexcept {
  if (slot_ >= 0) slots[slot_].state.store(free_slot);
  slot_ = -1;
}

void remove_pending_outputs() noexcept {
  const int saved = errno;
  for (auto& slot : slots)
    if (slot.state.load() == armed) ::unlinkat(slot.directory, slot.name, 0);
  errno = saved;
}

}  // namespace lazylogit
