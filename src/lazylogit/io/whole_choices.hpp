// Blocks of rows that hold whole choices: rows of the last one wait until it is known where it ends.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

// Where each choice ends: at the last of the rows with its name that stand together.
Buffer<std::uint64_t> choice_ends(const std::vector<std::string>& names);

// InputError where a choice comes again after others: its candidates must stand together. `file` is what the error names.
void check_choices_stand_together(const std::vector<std::string>& names, const std::string& file);

// Rows with choice_ends. Memory: a block and the longest choice. Keeps the options that `source` refers to.
std::unique_ptr<RowSource> whole_choices(std::unique_ptr<RowSource> source,
                                         std::unique_ptr<const ReadOptions> options);

}  // namespace lazylogit::io
