// From an index in a file to a model's column: a direct table where indices are dense, else a hash map.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lazylogit/data/alphabet.hpp"

namespace lazylogit::io {

class IndexLookup {
 public:
  static constexpr std::uint32_t unknown = 0xFFFFFFFF;
  // `names` are indices in decimal; others are never found. Keys are indices minus `index_base`.
  IndexLookup(const data::Alphabet& names, int index_base);
  ~IndexLookup();
  std::uint32_t find(std::uint32_t key) const noexcept {
    if (key < table_.size()) return table_[key];
    return sparse_ == nullptr ? unknown : find_sparse(key);
  }

 private:
  struct Sparse;
  std::uint32_t find_sparse(std::uint32_t key) const noexcept;
  std::vector<std::uint32_t> table_;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace lazylogit::io
