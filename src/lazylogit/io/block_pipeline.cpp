#include "lazylogit/io/block_pipeline.hpp"

#include <atomic>
#include <deque>
#include <exception>
#include <vector>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::io {
namespace {

// A block on its way. A background task and the calling thread compete for it; whoever takes it runs it.
struct Slot {
  enum State : int { waiting, taken, done };
  std::unique_ptr<BlockJob> job;
  std::exception_ptr error;
  std::atomic<int> state = waiting;

  bool run_if_waiting() noexcept {
    int expected = waiting;
    if (!state.compare_exchange_strong(expected, taken, std::memory_order_acq_rel)) return false;
    try {
      job->run();
    } catch (...) {
      error = std::current_exception();
    }
    state.store(done, std::memory_order_release);
    state.notify_all();
    return true;
  }
};

}  // namespace

struct BlockScheduler::State {
  TextBlocks* blocks;
  std::function<std::unique_ptr<BlockJob>()> make;
  Log* log;
  CancelToken cancel;
  std::size_t max_in_flight = 1;
  bool at_end = false;
  std::deque<std::shared_ptr<Slot>> window;  // in order of the input
  std::vector<std::unique_ptr<BlockJob>> spares;
  TaskGroup tasks;  // last: its end waits for tasks that look at the slots

  // Reads one block; a failure takes its place in the order like any other block.
  std::shared_ptr<Slot> read_one() {
    auto slot = std::make_shared<Slot>();
    try {
      if (spares.empty()) {
        slot->job = make();
      } else {
        slot->job = std::move(spares.back());
        spares.pop_back();
      }
      if (blocks->next(slot->job->block)) return slot;
      at_end = true;
      return nullptr;
    } catch (...) {
      slot->error = std::current_exception();
      slot->state = Slot::done;
      at_end = true;
      return slot;
    }
  }

  void fill_window() {
    while (!at_end && window.size() < max_in_flight) {
      std::shared_ptr<Slot> slot = read_one();
      if (slot == nullptr) return;
      if (max_in_flight > 1 && slot->state != Slot::done) tasks.run([slot] { slot->run_if_waiting(); });
      window.push_back(std::move(slot));
    }
  }

  // Until the oldest block is done: parse what nobody has taken, oldest first, and sleep only then.
  void finish_front() {
    Slot& front = *window.front();
    for (std::size_t i = 0; i < window.size() && front.state.load(std::memory_order_acquire) != Slot::done;
         ++i)
      window[i]->run_if_waiting();
    while (front.state.load(std::memory_order_acquire) == Slot::taken) front.state.wait(Slot::taken);
  }
};

BlockScheduler::BlockScheduler(TextBlocks& blocks, std::function<std::unique_ptr<BlockJob>()> make, Log& log,
                               const CancelToken& cancel)
    : state_(std::make_unique<State>()) {
  state_->blocks = &blocks;
  state_->make = std::move(make);
  state_->log = &log;
  state_->cancel = cancel;
  const std::size_t threads = current_threads();
  state_->max_in_flight = threads > 1 ? threads + 2 : 1;
}

BlockScheduler::~BlockScheduler() {
  for (const auto& slot : state_->window) {  // what nobody has begun is not needed any more
    int expected = Slot::waiting;
    slot->state.compare_exchange_strong(expected, Slot::taken);
  }
}

std::unique_ptr<BlockJob> BlockScheduler::next() {
  State& s = *state_;
  s.cancel.throw_if_cancelled();
  s.fill_window();
  if (s.window.empty()) return nullptr;
  s.finish_front();
  const std::shared_ptr<Slot> slot = std::move(s.window.front());
  s.window.pop_front();
  if (slot->error) std::rethrow_exception(slot->error);
  s.log->progress({.phase = "reading",
                   .done = s.blocks->bytes_done(),
                   .total = s.blocks->bytes_total(),
                   .unit = "bytes"});
  return std::move(slot->job);
}

void BlockScheduler::recycle(std::unique_ptr<BlockJob> job) { state_->spares.push_back(std::move(job)); }

}  // namespace lazylogit::io
