// Rows with the derived features of a model, or of a stream: reads base features underneath, and expands them.
#pragma once

#include <functional>
#include <memory>

#include "lazylogit/io/load.hpp"

namespace lazylogit::io {

// Opens the base features under other names than the model's.
using OpenBase = std::function<std::unique_ptr<RowSource>(const FixedNames& names)>;

// Whatever `names` refers to must outlive the source. Without derived features: what `open` makes of `names` itself.
// Where the model tells its base features from others (data::DerivedSpec::num_base) those are the names; else names grow
// while rows are read, by one thread, and memory with them.
std::unique_ptr<RowSource> open_derived(const FixedNames& names, const ReadOptions& options,
                                        const OpenBase& open);

}  // namespace lazylogit::io
