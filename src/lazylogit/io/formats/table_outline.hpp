// What a stream takes a table to be: the columns, their types, the label and the stand-ins for missing cells, all learned
// from the first hundred records (64 KiB at most) as if they were the data, and kept from then on.
//
// Every column may have missing cells later, and new categories, words and nested keys may come; a column does not change
// its type. Two columns whose features could have the same name are refused, because names tell them apart.
#pragma once

#include <vector>

#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

using LoadFormat = Loaded (*)(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                              const CancelToken& cancel);

data::InputSpec outline_table(std::vector<Input>& inputs, LoadFormat load, bool quoting,
                              const ReadOptions& options, Log& log);

}  // namespace lazylogit::io
