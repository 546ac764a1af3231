// The members of a zip archive in memory: what .npz files are.
//
// Reads stored and deflated members, ZIP64 where sizes or offsets need it. The central directory decides;
// local headers must agree with it. Encrypted members, other methods, several disks, bytes before the first
// or after the last record, overlapping members and repeated names are refused. Names are compared, never
// used as paths. A member is expanded piece by piece and at most to its declared size, which must not exceed
// 64 MiB + max_expansion · its compressed size (IoError naming --max-expansion); its CRC-32 is checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"

namespace lazylogit::io {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;         // after expansion
  std::uint64_t stored_size = 0;  // in the archive
  std::uint64_t data_offset = 0;  // of the first byte in the archive
};

class ZipArchive {
 public:
  // `bytes` must outlive the archive; `file` is for errors.
  ZipArchive(std::string_view bytes, std::string file, std::uint64_t max_expansion);

  const std::vector<ZipMember>& members() const noexcept { return members_; }
  const ZipMember* find(std::string_view name) const noexcept;  // nullptr: not there
  // The bytes of a member: a view of the archive when it is stored, of `storage` when it had to be expanded.
  std::string_view read(const ZipMember& member, Buffer<char>& storage) const;

 private:
  struct Directory;
  [[noreturn]] void reject(std::uint64_t offset, const std::string& message) const;
  std::uint64_t number(std::uint64_t offset, int width) const;
  void need(std::uint64_t offset, std::uint64_t size, const char* what) const;
  Directory find_directory() const;
  std::uint64_t read_entry(std::uint64_t offset, std::uint64_t end);
  void apply_zip64(ZipMember& member, std::uint64_t& local, std::uint64_t extra,
                   std::uint64_t extra_size) const;
  void locate_data(ZipMember& member, std::uint64_t local) const;
  void check_layout(std::uint64_t directory) const;
  void inflate(const ZipMember& member, Buffer<char>& storage) const;

  std::string_view bytes_;
  std::string file_;
  std::uint64_t max_expansion_;
  std::vector<ZipMember> members_;
  std::vector<std::uint64_t> local_offsets_;  // by member
};

}  // namespace lazylogit::io
