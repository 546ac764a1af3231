#include "lazylogit/io/formats/array_format.hpp"

#include <fmt/format.h>

#include <utility>

#include "lazylogit/io/dataset_builder.hpp"
#include "lazylogit/io/formats/array_blocks.hpp"

namespace lazylogit::io {
namespace {

void refuse_offsets_of_many_classes(std::size_t num_offsets, std::size_t num_classes) {
  if (num_offsets > 0 && num_classes > 2)
    throw ConfigError(fmt::format("offsets need two classes; there are {}", num_classes), "offset");
}

class ArraySource final : public RowSource {
 public:
  ArraySource(std::vector<Input> inputs, Format format, OpenArray open, const FixedNames& names,
              const ReadOptions& options, Log& log, const CancelToken& cancel)
      : inputs_(std::move(inputs)),
        blocks_(inputs_, format, std::move(open), ColumnIds(names), options, log, cancel),
        builder_(names, options, log),
        num_classes_(names.classes->size()) {
    builder_.summary().format = format;
  }

  bool next(data::Rows& rows) override {
    if (!blocks_.next(block_)) {
      builder_.finish();
      builder_.summary().text_bytes = blocks_.bytes();
      return false;
    }
    builder_.convert(block_, rows);
    refuse_offsets_of_many_classes(rows.offsets.size(), num_classes_);
    return true;
  }
  const ReadSummary& summary() const override { return builder_.summary(); }

 private:
  std::vector<Input> inputs_;
  ArrayBlocks blocks_;
  FixedRowsBuilder builder_;
  std::size_t num_classes_;
  RowBlock block_;
};

}  // namespace

Loaded load_arrays(std::vector<Input>& inputs, Format format, const OpenArray& open,
                   const ReadOptions& options, Log& log, const CancelToken& cancel) {
  ColumnIds ids(options.hash_bits, options.index_base);
  DatasetBuilder builder(ids.mode(), options, log);
  const std::string first_file = inputs.empty() ? "" : inputs.front().name();
  ArrayBlocks blocks(inputs, format, open, std::move(ids), options, log, cancel);
  RowBlock block;
  while (blocks.next(block)) builder.add(block);
  Loaded loaded = builder.finish(first_file, options.index_base);
  loaded.summary.format = format;
  loaded.summary.text_bytes = blocks.bytes();
  data::InputSpec& input = loaded.data.input;
  input.kind = data::InputKind::indexed;
  input.index_base = options.index_base;
  input.hash_bits = options.hash_bits;
  input.weight = options.weight;
  input.offset = options.offset;
  input.id = options.id;
  refuse_offsets_of_many_classes(loaded.data.offsets.size(), loaded.data.classes.size());
  return loaded;
}

std::unique_ptr<RowSource> stream_arrays(std::vector<Input> inputs, Format format, OpenArray open,
                                         const FixedNames& names, const ReadOptions& options, Log& log,
                                         const CancelToken& cancel) {
  return std::make_unique<ArraySource>(std::move(inputs), format, std::move(open), names, options, log,
                                       cancel);
}

}  // namespace lazylogit::io
