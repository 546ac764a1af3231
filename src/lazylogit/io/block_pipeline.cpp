#include "lazylogit/io/block_pipeline.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::io {
namespace {

struct Slot {
  std::unique_ptr<BlockJob> job;
  std::exception_ptr error;
  bool done = false;
};

void run(Slot& slot) noexcept {
  try {
    slot.job->run();
  } catch (...) {
    slot.error = std::current_exception();
  }
}

}  // namespace

struct BlockScheduler::State {
  TextBlocks* blocks;
  std::function<std::unique_ptr<BlockJob>()> make;
  Log* log;
  CancelToken cancel;
  std::size_t max_in_flight = 1;

  std::mutex mutex;
  std::condition_variable work_there, work_done;
  std::deque<std::unique_ptr<Slot>> window;  // in order of the input
  std::deque<Slot*> waiting;                 // of those, the ones nobody has taken
  bool stopping = false;
  std::vector<std::thread> workers;

  bool at_end = false;                            // touched by the calling thread only
  std::vector<std::unique_ptr<BlockJob>> spares;  // likewise

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      work_there.wait(lock, [this] { return stopping || !waiting.empty(); });
      if (stopping) return;
      run_one(lock);
    }
  }

  // Takes the oldest waiting job and runs it with the lock released.
  void run_one(std::unique_lock<std::mutex>& lock) {
    Slot* slot = waiting.front();
    waiting.pop_front();
    lock.unlock();
    run(*slot);
    lock.lock();
    slot->done = true;
    work_done.notify_one();
  }

  // Reads one block; a failure takes its place in the order like any other block.
  std::unique_ptr<Slot> read_one() {
    auto slot = std::make_unique<Slot>();
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
      slot->done = true;
      at_end = true;
      return slot;
    }
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
  for (std::size_t i = 1; i < threads; ++i) {
    try {
      state_->workers.emplace_back([state = state_.get()] { state->work(); });
    } catch (const std::system_error&) {
      break;  // no more threads to be had: go on with fewer
    }
  }
  state_->max_in_flight = state_->workers.empty() ? 1 : state_->workers.size() + 3;
}

BlockScheduler::~BlockScheduler() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->waiting.clear();
  }
  state_->work_there.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

std::unique_ptr<BlockJob> BlockScheduler::next() {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  for (;;) {
    s.cancel.throw_if_cancelled();
    if (!s.at_end && s.window.size() < s.max_in_flight) {
      lock.unlock();
      std::unique_ptr<Slot> slot = s.read_one();
      lock.lock();
      if (slot == nullptr) continue;
      if (!slot->done) {
        s.waiting.push_back(slot.get());
        s.work_there.notify_one();
      }
      s.window.push_back(std::move(slot));
      continue;
    }
    if (s.window.empty()) return nullptr;
    if (s.window.front()->done) {
      std::unique_ptr<Slot> slot = std::move(s.window.front());
      s.window.pop_front();
      lock.unlock();
      if (slot->error) std::rethrow_exception(slot->error);
      s.log->progress({.phase = "reading",
                       .done = s.blocks->bytes_done(),
                       .total = s.blocks->bytes_total(),
                       .unit = "bytes"});
      return std::move(slot->job);
    }
    if (!s.waiting.empty())
      s.run_one(lock);
    else
      s.work_done.wait_for(lock, std::chrono::milliseconds(50));
  }
}

void BlockScheduler::recycle(std::unique_ptr<BlockJob> job) { state_->spares.push_back(std::move(job)); }

}  // namespace lazylogit::io
