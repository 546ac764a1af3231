// Derived features of training data: learns the edges of bins and the products that occur, and adds them to the rows.
//
// Base features keep their ids; after them come logarithms and bins in the order of the options, then products by degree
// and by the ids of their parts, so that the order of rows changes nothing. Under --hash-bits base features are read with
// their names, and all names are hashed here.
#pragma once

#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

// The options under which the base features are read.
ReadOptions base_options(const ReadOptions& options);

// `loaded` was read with base_options(options).
void learn_derived(Loaded& loaded, const ReadOptions& options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
