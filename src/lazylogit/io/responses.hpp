// Rows whose labels were read as classes, turned into what labels are (data/response.hpp).
#pragma once

#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

// The most labels that rows of several may have between them.
inline constexpr std::size_t max_labels = 100'000;

// Completes loaded data: sets of labels become ids of a table of single labels; classes of a binary cache become numbers.
// data.input.response is options.response then. InputError for a class of a cache that is no number or no set.
void apply_response(data::Dataset& data, const ReadOptions& options, const std::string& file);

}  // namespace lazylogit::io
