#include "lazylogit/io/block_pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t more_blocks = 2;  // than threads, where there are several
// A block of a very long record takes much memory in every form: it travels alone, and leaves none behind.
constexpr std::size_t large_text = std::size_t{4} << 20;

// A block on its way.
struct Slot {
  enum State : int { waiting, taken, parsed };
  std::unique_ptr<BlockJob> job;
  std::exception_ptr error;
  std::thread::id thread;  // that parses it
  std::atomic<int> state = waiting;

  bool is_large() const noexcept { return job != nullptr && job->block.size > large_text; }
  bool is_parsed() const noexcept { return state.load(std::memory_order_acquire) == parsed; }
  void parse() noexcept {
    try {
      job->parse();
    } catch (...) {
      error = std::current_exception();
    }
    state.store(parsed, std::memory_order_release);
    state.notify_all();
  }
  void wait() const noexcept {
    for (int now = state; now != parsed; now = state) state.wait(now);
  }
};

// A few slots, oldest first. Room for all is there from the start: workers must not fail for want of memory.
class Slots {
 public:
  void reserve(std::size_t size) { slots_.reserve(size); }
  bool empty() const noexcept { return slots_.empty(); }
  Slot* front() const noexcept { return slots_.front(); }
  void add(Slot* slot) noexcept { slots_.push_back(slot); }
  void clear() noexcept { slots_.clear(); }
  // Takes the first one that the condition holds for; nullptr: none.
  template <class Condition>
  Slot* take_if(Condition condition) noexcept {
    const auto found = std::find_if(slots_.begin(), slots_.end(), condition);
    if (found == slots_.end()) return nullptr;
    Slot* const slot = *found;
    slots_.erase(found);
    return slot;
  }
  Slot* take() noexcept {
    return take_if([](const Slot*) { return true; });
  }
  // One that this thread has parsed.
  Slot* take_own() noexcept {
    return take_if([me = std::this_thread::get_id()](const Slot* slot) { return slot->thread == me; });
  }
  template <class Condition>
  Slot* find_if(Condition condition) const noexcept {
    const auto found = std::find_if(slots_.begin(), slots_.end(), condition);
    return found == slots_.end() ? nullptr : *found;
  }

 private:
  std::vector<Slot*> slots_;
};

std::size_t threads_for(std::size_t most_blocks) {
  const std::size_t threads = current_threads();
  return most_blocks >= threads + more_blocks ? threads
         : most_blocks > more_blocks          ? most_blocks - more_blocks
                                              : 1;
}

}  // namespace

struct BlockScheduler::State {
  TextBlocks* blocks;
  std::function<std::unique_ptr<BlockJob>()> make;
  Log* log;
  CancelToken cancel;
  std::vector<Slot> all;      // as many as may be in flight
  std::size_t workers = 0;    // besides the thread that calls next()
  bool anyone_reads = false;  // files; otherwise the thread that calls next()
  bool is_begun = false;
  Slot* handed = nullptr;  // to the caller of next()

  std::mutex reading;               // `blocks`; locked before `mutex`
  std::mutex mutex;                 // what follows
  bool at_end = false;              // nothing more to read, or nobody wants it
  bool has_large = false;           // a large block is in flight: no other is begun
  Slots spares;                     // without a block; best taken by the thread whose cache has their memory
  Slots window;                     // in order of the input, until they are handed over
  Slots to_follow;                  // handed back, in order
  Slots to_place;                   // … and followed up
  bool is_following = false;        // some thread follows a block up
  std::size_t being_placed = 0;     //
  std::condition_variable stepped;  // one of these two is less than before
  std::exception_ptr failure;       // of such a step

  TaskGroup tasks;  // last: its end waits for tasks that look at the above

  explicit State(std::size_t threads) : all(threads > 1 ? threads + more_blocks : 1), workers(threads - 1) {
    for (Slots* const slots : {&spares, &window, &to_follow, &to_place}) slots->reserve(all.size());
    for (Slot& slot : all) spares.add(&slot);
  }

  // Reads one block into the window; nullptr at the end or where the window is full. A failure takes its place in the
  // order like any other block.
  Slot* read_one() noexcept {
    const std::lock_guard turn(reading);
    Slot* const slot = begin_slot();
    if (slot == nullptr) return nullptr;
    bool is_last = false, is_empty = false;
    try {
      if (slot->job == nullptr) slot->job = make();
      is_last = is_empty = !blocks->next(slot->job->block);
    } catch (...) {
      slot->error = std::current_exception();
      slot->state = Slot::parsed;
      is_last = true;
    }
    const std::lock_guard lock(mutex);
    at_end = at_end || is_last;
    has_large = has_large || (!is_last && slot->is_large());
    (is_empty ? spares : window).add(slot);
    return is_empty ? nullptr : slot;
  }

  Slot* begin_slot() noexcept {
    const std::lock_guard lock(mutex);
    if (at_end || has_large) return nullptr;
    Slot* slot = spares.take_own();
    if (slot == nullptr) slot = spares.take();
    if (slot == nullptr) return nullptr;
    slot->thread = std::this_thread::get_id();
    slot->state = Slot::waiting;
    return slot;
  }

  // A block to be parsed by this thread, or nullptr.
  Slot* take_block() noexcept {
    if (anyone_reads) return read_one();
    const std::lock_guard lock(mutex);
    Slot* const slot = window.find_if([](const Slot* s) { return s->state == Slot::waiting; });
    if (slot == nullptr) return nullptr;
    slot->state = Slot::taken;
    slot->thread = std::this_thread::get_id();
    return slot;
  }

  bool parse_one() noexcept {
    Slot* const slot = take_block();
    if (slot == nullptr) return false;
    if (!slot->is_parsed()) slot->parse();
    return true;
  }

  template <class Step>
  void run_step(Step step) noexcept {
    try {
      step();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  }

  // The steps after a block's turn. `own`: of blocks that this thread has parsed alone.
  bool follow_one(bool own) noexcept {
    Slot* slot = nullptr;
    {
      const std::lock_guard lock(mutex);
      if (is_following || to_follow.empty()) return false;
      if (own && to_follow.front()->thread != std::this_thread::get_id()) return false;
      slot = to_follow.take();
      is_following = true;
    }
    run_step([slot] { slot->job->follow(); });
    const std::lock_guard lock(mutex);
    is_following = false;
    to_place.add(slot);
    stepped.notify_all();
    return true;
  }

  bool place_one(bool own) noexcept {
    Slot* slot = nullptr;
    {
      const std::lock_guard lock(mutex);
      slot = own ? to_place.take_own() : to_place.take();
      if (slot == nullptr) return false;
      ++being_placed;
    }
    run_step([slot] { slot->job->place(); });
    const bool is_large = slot->is_large();
    if (is_large) slot->job.reset();
    const std::lock_guard lock(mutex);
    --being_placed;
    has_large = has_large && !is_large;
    spares.add(slot);
    stepped.notify_all();
    return true;
  }

  // What this thread has in its cache comes first.
  bool work() noexcept {
    return follow_one(true) || place_one(true) || parse_one() || follow_one(false) || place_one(false);
  }

  void call_worker() {
    if (workers > 0)
      tasks.run([this] {
        while (work()) continue;
      });
  }

  void begin() {
    is_begun = true;
    if (anyone_reads)
      for (std::size_t i = 0; i < workers; ++i) call_worker();
  }

  void hand_back() {
    {
      const std::lock_guard lock(mutex);
      to_follow.add(std::exchange(handed, nullptr));
    }
    while (follow_one(true) || place_one(true)) continue;
    call_worker();  // to do so, or because there is room in the window again
  }

  // The oldest block, when it has been parsed; nullptr at the end.
  Slot* next() {
    for (;;) {
      while (!anyone_reads && read_one() != nullptr) call_worker();
      Slot* front = nullptr;
      {
        const std::lock_guard lock(mutex);
        if (failure) std::rethrow_exception(failure);
        if (window.empty() && at_end) return nullptr;
        if (!window.empty()) front = window.front();
        if (front != nullptr && front->is_parsed()) return window.take();
      }
      if (work()) continue;
      if (front != nullptr)
        front->wait();
      else
        wait_for_step();
    }
  }

  // Where all blocks are between their turn and the end.
  void wait_for_step() {
    std::unique_lock lock(mutex);
    stepped.wait(lock, [this] {
      return at_end || (!spares.empty() && !has_large) || !window.empty() || !to_place.empty() ||
             (!is_following && !to_follow.empty());
    });
  }

  void settle() {
    for (;;) {
      while (follow_one(false) || place_one(false)) continue;
      std::unique_lock lock(mutex);
      if (failure) std::rethrow_exception(failure);
      if (!is_following && being_placed == 0 && to_follow.empty() && to_place.empty()) return;
      stepped.wait(lock, [this] {
        return !is_following && (being_placed == 0 || !to_follow.empty() || !to_place.empty());
      });
    }
  }
};

BlockScheduler::BlockScheduler(TextBlocks& blocks, std::function<std::unique_ptr<BlockJob>()> make, Log& log,
                               const CancelToken& cancel, std::size_t most_blocks)
    : state_(std::make_unique<State>(threads_for(most_blocks))) {
  state_->blocks = &blocks;
  state_->make = std::move(make);
  state_->log = &log;
  state_->cancel = cancel;
  state_->anyone_reads = blocks.bytes_total() > 0;
}

BlockScheduler::~BlockScheduler() {
  const std::lock_guard lock(state_->mutex);  // what nobody has begun is not needed any more
  state_->at_end = true;
  state_->window.clear();
  state_->to_follow.clear();
  state_->to_place.clear();
}

BlockJob* BlockScheduler::next() {
  State& s = *state_;
  if (s.handed != nullptr) s.hand_back();
  s.cancel.throw_if_cancelled();
  if (!s.is_begun) s.begin();
  Slot* const slot = s.next();
  if (slot == nullptr) {
    s.settle();
    return nullptr;
  }
  if (slot->error) std::rethrow_exception(slot->error);
  s.handed = slot;
  s.log->progress({.phase = "reading",
                   .done = s.blocks->bytes_done(),
                   .total = s.blocks->bytes_total(),
                   .unit = "bytes"});
  return slot->job.get();
}

void BlockScheduler::settle() { state_->settle(); }

}  // namespace lazylogit::io
