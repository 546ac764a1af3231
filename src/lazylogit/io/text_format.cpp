#include "lazylogit/io/text_format.hpp"

#include <mutex>
#include <utility>

#include "lazylogit/io/growing_names.hpp"

namespace lazylogit::io {
namespace {

class TextRowSource final : public RowSource {
 public:
  TextRowSource(std::vector<Input> inputs, const TextRun& run, ParseBlock parse, const FixedNames& names,
                const ReadOptions& options, Log& log, const CancelToken& cancel)
      : inputs_(std::move(inputs)),
        blocks_(inputs_, run.rule, options.limits, run.block_bytes),
        builder_(names, options, log),
        pipeline_(blocks_, locked(std::move(parse), names.growing), log, cancel) {
    if (names.growing != nullptr) blocks_.set_eager();
    builder_.summary().format = run.format;
    builder_.summary().target = run.input.target;
  }

  bool next(data::Rows& rows) override {
    do {
      builder_.throw_held_error();
      if (!pipeline_.next(parsed_)) {
        builder_.finish();
        return false;
      }
      builder_.summary().text_bytes = blocks_.text_bytes();
      builder_.convert(parsed_, rows);
    } while (rows.num_rows() == 0);
    return true;
  }
  const ReadSummary& summary() const override { return builder_.summary(); }

 private:
  // A stream's names are read by others while this thread parses.
  static ParseBlock locked(ParseBlock parse, GrowingNames* growing) {
    if (growing == nullptr) return parse;
    return [parse = std::move(parse), growing](const TextBlock& block, RowBlock& out) {
      const std::lock_guard lock(growing->mutex);
      out.set_growing(growing);
      parse(block, out);
    };
  }

  std::vector<Input> inputs_;
  TextBlocks blocks_;
  FixedRowsBuilder builder_;
  RowBlock parsed_;
  BlockPipeline<RowBlock> pipeline_;  // last: its workers use all of the above
};

}  // namespace

double expected_blocks(const TextBlocks& blocks) {
  if (blocks.bytes_total() == 0 || blocks.bytes_done() == 0) return 0;
  return static_cast<double>(blocks.num_blocks()) * static_cast<double>(blocks.bytes_total()) /
         static_cast<double>(blocks.bytes_done());
}

Loaded load_text(std::vector<Input>& inputs, const TextRun& run, const ParseBlock& parse,
                 const ReadOptions& options, Log& log, const CancelToken& cancel) {
  TextBlocks blocks(inputs, run.rule, options.limits, run.block_bytes);
  DatasetBuilder builder(run.mode, options, log);
  {
    BlockPipeline<RowBlock> pipeline(blocks, parse, log, cancel);
    RowBlock parsed;
    for (bool first = true; pipeline.next(parsed); first = false) {
      if (first) builder.reserve(parsed, expected_blocks(blocks));
      builder.add(parsed);
    }
  }
  Loaded loaded = builder.finish(inputs.front().name(), run.input.index_base);
  loaded.data.input = run.input;
  loaded.summary.format = run.format;
  loaded.summary.target = run.input.target;
  loaded.summary.text_bytes = blocks.text_bytes();
  return loaded;
}

std::unique_ptr<RowSource> stream_text(std::vector<Input> inputs, const TextRun& run, ParseBlock parse,
                                       const FixedNames& names, const ReadOptions& options, Log& log,
                                       const CancelToken& cancel) {
  return std::make_unique<TextRowSource>(std::move(inputs), run, std::move(parse), names, options, log,
                                         cancel);
}

}  // namespace lazylogit::io
