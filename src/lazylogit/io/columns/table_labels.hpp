// The labels of a table, put together from those of its blocks: canonical, by first appearance.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

class TableLabels {
 public:
  explicit TableLabels(const ReadOptions& options) : options_(&options) {}

  // Takes the labels of the next block's rows: what each label of the block is here, unknown_class where no row has it.
  // IoError for --max-classes.
  std::vector<ClassId> add(const RowBlock& rows);
  std::size_t size() const noexcept { return names_.size(); }
  std::string_view name(std::size_t label) const noexcept {
    return names_.name(static_cast<FeatureId>(label));
  }

 private:
  const ReadOptions* options_;
  data::Alphabet names_;
};

}  // namespace lazylogit::io
