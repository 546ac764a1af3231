// Rows that are read and parsed on a thread of their own, at most two blocks ahead of who takes them: one thread parses,
// the other learns. Blocks come in order; an exception of the reader leaves through next() when its turn has come.
//
// next() looks at `cancel` while it waits and throws Cancelled. The destructor stops the reader, also one that waits
// for a pipe.
#pragma once

#include <memory>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

std::unique_ptr<RowSource> read_ahead(std::unique_ptr<RowSource> source, const CancelToken& cancel);

}  // namespace lazylogit::io
