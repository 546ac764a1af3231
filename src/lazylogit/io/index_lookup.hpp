// From an index in a file, or a slot of hashed features, to a model's column: a direct table where they are dense,
// else a hash map.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lazylogit/data/alphabet.hpp"
#include "lazylogit/data/slot_name.hpp"

namespace lazylogit::io {

using data::slot_name;

class IndexLookup {
 public:
  static constexpr std::uint32_t unknown = 0xFFFFFFFF;
  // `names` are indices in decimal; others are never found. Keys are indices minus `index_base`.
  IndexLookup(const data::Alphabet& names, int index_base);
  // `names` are those of slots; where columns have none, every slot is its own column.
  static std::shared_ptr<const IndexLookup> of_slots(const data::Alphabet& names, std::size_t num_columns);
  ~IndexLookup();
  std::uint32_t find(std::uint32_t key) const noexcept {
    if (key < table_.size()) return table_[key];
    if (is_identity_) return key;
    return sparse_ == nullptr ? unknown : find_sparse(key);
  }

 private:
  struct Sparse;
  struct Slots {};
  IndexLookup(const data::Alphabet& names, Slots, bool is_identity);
  template <class KeyOf>
  void fill(const data::Alphabet& names, const KeyOf& key_of);
  std::uint32_t find_sparse(std::uint32_t key) const noexcept;
  std::vector<std::uint32_t> table_;
  std::unique_ptr<Sparse> sparse_;
  bool is_identity_ = false;
};

}  // namespace lazylogit::io
