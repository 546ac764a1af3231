// An ordered parallel map over text blocks: read serially, parse in parallel, hand over strictly in order.
//
// The thread that calls next() parses as well when it would otherwise wait; threads - 1 workers help. With one
// thread nothing is started; `most_blocks` in flight, where each takes much memory, mean fewer threads. Where all inputs are files, the thread that parses a block has read it too, into memory
// that it used before: text that another processor has in its cache is slow to replace. Bytes that may have to be waited for
// are read by the thread that calls next(). At most threads + 2 blocks (one with a single thread) are in flight, and behind
// one of more than 4 MiB, which a very long record makes, none is begun. An
// exception of reading or parsing leaves through next() when its block's turn has come, so the earliest one wins
// whatever the thread count. The objects of finished blocks are used again: parse functions clear what they fill.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

struct BlockJob {
  virtual ~BlockJob() = default;
  virtual void parse() = 0;
  virtual void follow() = 0;
  virtual void place() = 0;
  TextBlock block;
};

// The part without types. `make` gives an empty job.
class BlockScheduler {
 public:
  BlockScheduler(TextBlocks& blocks, std::function<std::unique_ptr<BlockJob>()> make, Log& log,
                 const CancelToken& cancel, std::size_t most_blocks);
  ~BlockScheduler();  // waits for running jobs, drops the rest
  // The next parsed job in order, or nullptr at the end. It is the caller's until the next call, which has it placed.
  BlockJob* next();
  // Waits until all jobs before the one that next() gave last are placed; after the end, all.
  void settle();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class Parsed>
class BlockPipeline {
 public:
  // Called from several threads at once; must not depend on anything but the block.
  using Parse = std::function<void(const TextBlock&, Parsed&)>;
  // What is left to do with a block after its turn, on the thread that has parsed it if possible. An
  // exception leaves through a later next() or settle().
  struct After {
    std::function<void(Parsed&)> follow = [](Parsed&) {};  // in the order of the blocks, one at a time
    std::function<void(Parsed&)> place = [](Parsed&) {};   // then, beside others
    std::size_t most_blocks = std::numeric_limits<std::size_t>::max();
  };

  BlockPipeline(TextBlocks& blocks, Parse parse, Log& log, const CancelToken& cancel)
      : BlockPipeline(blocks, std::move(parse), After{}, log, cancel) {}
  BlockPipeline(TextBlocks& blocks, Parse parse, After after, Log& log, const CancelToken& cancel)
      : parse_(std::move(parse)),
        after_(std::move(after)),
        scheduler_(
            blocks, [this] { return std::make_unique<Job>(this); }, log, cancel, after_.most_blocks) {}

  // The next block's result, in order; nullptr at the end. The caller may change it until the next call.
  Parsed* next() {
    BlockJob* const job = scheduler_.next();
    return job == nullptr ? nullptr : &static_cast<Job&>(*job).parsed;
  }
  // The same in the caller's own object; false at the end. What `parsed` held before is used again.
  bool next(Parsed& parsed) {
    Parsed* const found = next();
    if (found == nullptr) return false;
    std::swap(parsed, *found);
    return true;
  }
  // Waits until all results before the one that next() gave last are placed; after the end, all.
  void settle() { scheduler_.settle(); }

 private:
  struct Job final : BlockJob {
    explicit Job(const BlockPipeline* p) : pipeline(p) {}
    void parse() override { pipeline->parse_(block, parsed); }
    void follow() override { pipeline->after_.follow(parsed); }
    void place() override { pipeline->after_.place(parsed); }
    const BlockPipeline* pipeline;
    Parsed parsed;
  };
  Parse parse_;
  After after_;
  BlockScheduler scheduler_;  // last: its jobs use the above
};

}  // namespace lazylogit::io
