// Names <-> dense ids 0, 1, 2, … in order of insertion. Owns the bytes of all names in one block.
//
// Lookup is a table of ids keyed by XXH3 (number_index.hpp), built on first need and kept up to date by
// `intern`; a frozen alphabet (const access after build_index()) is safe to read from many threads. The hash
// is seeded per process, so a file cannot be made to collide on purpose; ids do not depend on the hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/types.hpp"
#include "lazylogit/data/number_index.hpp"

namespace lazylogit::data {

class Alphabet {
 public:
  std::size_t size() const noexcept { return ends_.size(); }
  bool empty() const noexcept { return ends_.empty(); }
  std::string_view name(FeatureId id) const noexcept {
    const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return {bytes_.data() + begin, ends_[id] - begin};
  }

  // Appends without looking whether the name is there; the caller knows that it is new. Invalidates the
  // index.
  void append(std::string_view name);
  // The id of `name`, added at the end when new.
  FeatureId intern(std::string_view name);
  // Forgets the names from id `size` on, which must be the last ones added.
  void truncate(std::size_t size);
  // The id of `name`, or nothing. Needs build_index() after the last append; intern keeps the index valid.
  std::optional<FeatureId> find(std::string_view name) const noexcept;
  // Builds the lookup table if it is missing; false when a name occurs twice (find() gives the first). Not
  // thread-safe; call before sharing.
  bool build_index();

  // The raw form, for model files: all names one after another, and the end offset of each.
  const Buffer<char>& bytes() const noexcept { return bytes_; }
  const Buffer<std::uint64_t>& ends() const noexcept { return ends_; }
  // Takes over the raw form; offsets must ascend and end at bytes.size() (the model loader has checked).
  static Alphabet from_raw(Buffer<char> bytes, Buffer<std::uint64_t> ends);

  std::size_t memory_bytes() const noexcept;

 private:
  bool fill_index();

  Buffer<char> bytes_;
  Buffer<std::uint64_t> ends_;
  NumberIndex index_;
};

// The hash of a name in every index of this process.
std::uint64_t hash_name(std::string_view name) noexcept;

}  // namespace lazylogit::data
