// JSON lines: one object a line; keys are columns.
//
// A number is numeric, a string text or a category, true and false are categories. null and an absent key are
// missing values. An object or an array of numbers is a set of sparse features, "key.sub" and "key[0]", where
// absent means zero. What else may go wrong is told in json_reader.hpp and jsonl_row.hpp.
#pragma once

#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

FormatEntry jsonl_format();

// What jsonl_format().load does, with a block size for tests.
Loaded load_json_lines(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                       const CancelToken& cancel, std::size_t block_bytes = default_block_bytes);

}  // namespace lazylogit::io
