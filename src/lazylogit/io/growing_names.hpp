// The names that a stream has shown so far: columns and labels by first appearance.
//
// The reader of a stream adds to them while it parses, a block ahead of who learns; ids never change, so what was known
// after a block is a prefix of what is known later. `mutex` is held by the reader while it parses a block (not while it
// waits for bytes) and by whoever looks at the names. A row that is rejected takes the names it brought with it
// (RowBlock). Hashed features have no names: only labels grow.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "lazylogit/data/alphabet.hpp"

namespace lazylogit::io {

class GrowingNames {
 public:
  GrowingNames();
  ~GrowingNames();
  GrowingNames(const GrowingNames&) = delete;
  GrowingNames& operator=(const GrowingNames&) = delete;

  std::mutex mutex;
  data::Alphabet features;
  data::Alphabet labels;  // canonical

  // Numbered features (libsvm): the columns of indices, which are key + index_base; added where new. Needs number_columns() once, after
  // `features` was filled.
  void to_columns(std::uint32_t* keys, std::size_t size);
  // What to_columns will look at for small keys; may move when a column is added.
  const std::uint32_t* table() const noexcept { return direct_.data(); }
  void number_columns(int index_base);

 private:
  static constexpr std::uint32_t unknown = 0xFFFFFFFF;
  std::uint32_t add_column(std::uint32_t key);
  std::uint32_t& place_of(std::uint32_t key);

  // A direct table for small keys, which are most; a map for the others, so that one large index costs one entry.
  struct LargeKeys;
  std::vector<std::uint32_t> direct_;
  std::unique_ptr<LargeKeys> large_;
  std::uint64_t base_ = 1;
};

}  // namespace lazylogit::io
