// Writes a zip archive of stored members, as .npz files are. Without time stamps: the same members give the
// same bytes. ZIP64 records appear where a size or an offset needs them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/io/byte_sink.hpp"

namespace lazylogit::io {

class ZipWriter {
 public:
  explicit ZipWriter(ByteSink& out) : out_(out) {}
  // Adds a member whose content is `pieces`, one after another.
  void add(const std::string& name, std::span<const std::string_view> pieces);
  // Writes the directory. Call once, at the end; The sink is finished by the caller.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc;
    std::uint64_t size, offset;
  };
  void write(const std::string& bytes);

  ByteSink& out_;
  std::vector<Entry> entries_;
  std::uint64_t offset_ = 0;
};

}  // namespace lazylogit::io
