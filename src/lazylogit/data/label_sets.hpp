// The labels of rows that may have any number of them: compressed rows of class ids, ascending and distinct within a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/types.hpp"

namespace lazylogit::data {

struct LabelSets {
  Buffer<std::uint64_t> ends;  // one per row, into ids
  Buffer<ClassId> ids;

  std::size_t size() const noexcept { return ends.size(); }
  bool empty() const noexcept { return ends.empty(); }
  std::span<const ClassId> operator[](std::size_t row) const noexcept {
    const std::uint64_t begin = row == 0 ? 0 : ends[row - 1];
    return {ids.data() + begin, ends[row] - begin};
  }
  void push_back(std::span<const ClassId> labels) {
    ids.append(labels);
    ends.push_back(ids.size());
  }
  void clear() {
    ends.clear();
    ids.clear();
  }
};

}  // namespace lazylogit::data
