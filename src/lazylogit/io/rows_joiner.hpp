// Puts streamed Rows one after another into one.
#pragma once

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::io {

class RowsJoiner {
 public:
  // Appends; `part` may be used again. Values become double where any part has doubles.
  void add(const data::Rows& part);
  data::Rows finish(std::size_t num_features);

 private:
  data::Rows all_;
};

}  // namespace lazylogit::io
