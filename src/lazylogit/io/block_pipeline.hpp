// An ordered parallel map over text blocks: read serially, parse in parallel, hand over strictly in order.
//
// The thread that calls next() reads, and parses as well when it would otherwise wait; threads - 1 workers
// parse. With one thread nothing is started. At most threads + 2 blocks (one with a single thread) are in
// flight. An exception of reading or parsing leaves through next() when its block's turn has come, so the
// earliest one wins whatever the thread count. The objects of finished blocks are used again: parse functions
// clear what they fill.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

struct BlockJob {
  virtual ~BlockJob() = default;
  virtual void run() = 0;
  TextBlock block;
};

// The part without types. `make` gives an empty job.
class BlockScheduler {
 public:
  BlockScheduler(TextBlocks& blocks, std::function<std::unique_ptr<BlockJob>()> make, Log& log,
                 const CancelToken& cancel);
  ~BlockScheduler();  // waits for running jobs, drops the rest
  // The next finished job in order, or nullptr at the end. Give it back with recycle().
  std::unique_ptr<BlockJob> next();
  void recycle(std::unique_ptr<BlockJob> job);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

template <class Parsed>
class BlockPipeline {
 public:
  // `parse` is called from several threads at once and must not depend on anything but the block.
  using Parse = std::function<void(const TextBlock&, Parsed&)>;
  BlockPipeline(TextBlocks& blocks, Parse parse, Log& log, const CancelToken& cancel)
      : parse_(std::move(parse)),
        scheduler_(
            blocks, [this] { return std::make_unique<Job>(&parse_); }, log, cancel) {}

  // The next block's result, in order; false at the end. What `parsed` held before is used again.
  bool next(Parsed& parsed) {
    std::unique_ptr<BlockJob> job = scheduler_.next();
    if (job == nullptr) return false;
    std::swap(parsed, static_cast<Job&>(*job).parsed);
    scheduler_.recycle(std::move(job));
    return true;
  }

 private:
  struct Job final : BlockJob {
    explicit Job(const Parse* p) : parse(p) {}
    void run() override { (*parse)(block, parsed); }
    const Parse* parse;
    Parsed parsed;
  };
  Parse parse_;
  BlockScheduler scheduler_;
};

}  // namespace lazylogit::io
