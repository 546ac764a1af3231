// Column numbers of rows that all have every column: 0 … width − 1, again and again, in hardly any memory.
//
// A dense matrix without zeros is a sparse one whose rows have the same columns. Rows need their column numbers one after
// another, which would cost half as much memory as the matrix; so one short piece is mapped into the address space as
// often as needed. The piece is some whole rows that fill whole pages: at least lcm(4 width, page), and enough for at most
// 1024 mappings. Where the system has no such mappings, the numbers are simply stored.
#pragma once

#include <cstddef>
#include <memory>

#include "lazylogit/base/types.hpp"

namespace lazylogit::python {

struct RepeatedIds {
  const FeatureId* ids = nullptr;
  std::shared_ptr<const void> owner = {};
};

RepeatedIds repeated_ids(std::size_t width, std::size_t times);

}  // namespace lazylogit::python
