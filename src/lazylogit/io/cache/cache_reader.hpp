// Reads a cache front to back, in blocks, checking everything before it is used (layout.hpp).
#pragma once

#include <memory>
#include <string>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/byte_source.hpp"
#include "lazylogit/io/cache/layout.hpp"

namespace lazylogit::io {

class CacheReader {
 public:
  // Reads and checks the header. InputError with the byte for everything that is wrong.
  CacheReader(std::unique_ptr<ByteSource> source, std::string file);

  const CacheHeader& header() const noexcept { return header_; }
  CacheHeader& header() noexcept { return header_; }
  // The next rows, in order; false after the last, when the end has been checked. Labels are positions in the classes.
  bool next(data::Rows& rows);
  std::uint64_t consumed() const noexcept { return at_; }

 private:
  [[noreturn]] void refuse(std::uint64_t byte, std::string message) const;
  void read(char* to, std::size_t size);
  void read_into(Buffer<char>& bytes, std::uint64_t size);
  void check_end(std::string_view first);
  void decode(std::string_view bytes, const PartHead& part, data::Rows& rows);

  std::unique_ptr<ByteSource> source_;
  std::string file_;
  std::uint64_t at_ = 0, checksum_ = 0, block_at_ = 0;
  std::uint64_t num_rows_ = 0, num_entries_ = 0;
  CacheHeader header_;
  Buffer<char> bytes_;
};

}  // namespace lazylogit::io
