// A cache that has been checked, completely, front to back, before anything of it is used (layout.hpp).
//
// A regular file is mapped: its rows need no memory of their own, and are read from the file again in every pass. What
// comes compressed or through a pipe is kept in a temporary file first.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/large_blocks.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/cache/layout.hpp"
#include "lazylogit/io/inputs.hpp"

namespace lazylogit::io {

class CacheFile {
 public:
  // Reads and checks the header. InputError with the byte for everything that is wrong.
  explicit CacheFile(Input& input);

  const CacheHeader& header() const noexcept { return header_; }
  CacheHeader& header() noexcept { return header_; }
  // Checks the rest; to be called before rows are asked for.
  void check(Log& log, const CancelToken& cancel) const;
  // Rows [first, last), which refer to the file: this object must outlive them. Labels are positions in the classes.
  void view(std::size_t first, std::size_t last, data::Rows& rows) const;
  // The first row that makes a stretch from `first` on too large for a block, at least first + 1.
  std::size_t block_end(std::size_t first) const;
  // All rows, which keep the file; once.
  data::Rows take();

 private:
  [[noreturn]] void refuse(std::uint64_t byte, std::string message) const;
  void check_checksums(Log& log, const CancelToken& cancel) const;
  void check_rows(const CancelToken& cancel) const;
  template <class T>
  std::span<const T> items(const CachePlaces::Stretch& place) const {
    return {reinterpret_cast<const T*>(bytes_.data + place.begin), place.size / sizeof(T)};
  }
  std::string_view id(std::size_t row) const;

  std::string file_;
  MappedBytes bytes_;
  std::uint64_t header_checksum_ = 0;
  CacheHeader header_;
  CachePlaces places_;
};

}  // namespace lazylogit::io
