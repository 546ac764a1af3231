// The common drive train of line-oriented formats: blocks -> parser in parallel -> builder in order.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lazylogit/io/block_pipeline.hpp"
#include "lazylogit/io/dataset_builder.hpp"

namespace lazylogit::io {

// Parses one block; called from several threads at once. Calls out.clear() first.
using ParseBlock = std::function<void(const TextBlock&, RowBlock& out)>;

// What a run needs besides the parser.
struct TextRun {
  Format format = Format::automatic;
  RecordRule rule = RecordRule::lines;
  FeatureMode mode = FeatureMode::named;
  data::InputSpec input;  // learning: ends up in Dataset::input
  std::size_t block_bytes = default_block_bytes;
};

// How many blocks like those read so far the input seems to hold; 0: no telling.
double expected_blocks(const TextBlocks& blocks);

Loaded load_text(std::vector<Input>& inputs, const TextRun& run, const ParseBlock& parse,
                 const ReadOptions& options, Log& log, const CancelToken& cancel);

// With growing names the blocks must be parsed by one thread (a ThreadLimit of 1 while it is made).
// Takes the inputs over. `names` and `options` must outlive the source; `parse` owns what it needs.
std::unique_ptr<RowSource> stream_text(std::vector<Input> inputs, const TextRun& run, ParseBlock parse,
                                       const FixedNames& names, const ReadOptions& options, Log& log,
                                       const CancelToken& cancel);

}  // namespace lazylogit::io
