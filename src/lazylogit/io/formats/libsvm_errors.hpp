// What is wrong with a token of libsvm text: the slow path that turns a failed parse into a located error.
#pragma once

#include "lazylogit/io/label_dictionary.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

// The end of the token at `p`: the next blank, line end, comment, or the end of the text.
const char* token_end(const char* p, const char* end) noexcept;

// The error of the label token [p, stop).
ErrorDetail label_error(const TextBlock& block, const char* p, const char* stop,
                        const LabelDictionary& labels);

// The error of the pair that starts at `p`, which the parser could not read.
ErrorDetail pair_error(const TextBlock& block, const char* p, const char* end, int index_base, bool float32);

// The error of the second pair with index `index` in the line that starts at `line`.
ErrorDetail repeated_error(const TextBlock& block, const char* line, const char* end, std::uint64_t index);

// Where pair number `position`, counted from 0, stands in the pairs that start at `pairs`; there are more than that.
const char* pair_place(const char* pairs, const char* end, std::uint64_t position) noexcept;

}  // namespace lazylogit::io
