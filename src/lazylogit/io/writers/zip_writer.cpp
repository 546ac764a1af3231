#include "lazylogit/io/writers/zip_writer.hpp"

#include <zlib.h>

#include <algorithm>

#include "lazylogit/io/zip_limits.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint64_t version_stored = 20, version_zip64 = 45;
constexpr std::uint64_t first_day = 0x21;  // 1 January 1980, the earliest date there is

void put(std::string& out, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFF);
}

// Fields from "version needed" to "uncompressed size", the same in both kinds of header.
void put_description(std::string& out, std::uint64_t version, std::uint32_t crc, std::uint64_t size) {
  put(out, version, 2);
  put(out, 0, 2);  // flags
  put(out, 0, 2);  // method: stored
  put(out, 0, 2);  // time
  put(out, first_day, 2);
  put(out, crc, 4);
  put(out, std::min(size, zip_max32), 4);
  put(out, std::min(size, zip_max32), 4);
}

}  // namespace

void ZipWriter::write(const std::string& bytes) {
  out_.write(bytes);
  offset_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::span<const std::string_view> pieces) {
  uLong crc = ::crc32_z(0, nullptr, 0);
  std::uint64_t size = 0;
  for (const std::string_view piece : pieces) {
    if (piece.empty()) continue;  // a null pointer would reset the sum
    crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    size += piece.size();
  }
  entries_.push_back({name, static_cast<std::uint32_t>(crc), size, offset_});
  const bool large = size >= zip_max32;
  std::string header;
  put(header, 0x04034b50, 4);
  put_description(header, large ? version_zip64 : version_stored, static_cast<std::uint32_t>(crc), size);
  put(header, name.size(), 2);
  put(header, large ? 20 : 0, 2);
  header += name;
  if (large) put(header, 1, 2), put(header, 16, 2), put(header, size, 8), put(header, size, 8);
  write(header);
  for (const std::string_view piece : pieces) out_.write(piece);
  offset_ += size;
}

void ZipWriter::finish() {
  const std::uint64_t directory = offset_;
  for (const Entry& entry : entries_) {
    std::string extra;
    if (entry.size >= zip_max32) put(extra, entry.size, 8), put(extra, entry.size, 8);
    if (entry.offset >= zip_max32) put(extra, entry.offset, 8);
    std::string record;
    put(record, 0x02014b50, 4);
    const std::uint64_t version = extra.empty() ? version_stored : version_zip64;
    put(record, version, 2);
    put_description(record, version, entry.crc, entry.size);
    put(record, entry.name.size(), 2);
    put(record, extra.empty() ? 0 : extra.size() + 4, 2);
    put(record, 0, 2);  // comment
    put(record, 0, 2);  // disk
    put(record, 0, 2);  // internal attributes
    put(record, 0, 4);  // external attributes
    put(record, std::min(entry.offset, zip_max32), 4);
    record += entry.name;
    if (!extra.empty()) put(record, 1, 2), put(record, extra.size(), 2), record += extra;
    write(record);
  }
  const std::uint64_t end = offset_, size = end - directory, count = entries_.size();
  std::string record;
  if (directory >= zip_max32 || size >= zip_max32 || count >= zip_max16) {
    put(record, 0x06064b50, 4), put(record, 44, 8);
    put(record, version_zip64, 2), put(record, version_zip64, 2), put(record, 0, 4), put(record, 0, 4);
    put(record, count, 8), put(record, count, 8), put(record, size, 8), put(record, directory, 8);
    put(record, 0x07064b50, 4), put(record, 0, 4), put(record, end, 8), put(record, 1, 4);
  }
  put(record, 0x06054b50, 4), put(record, 0, 2), put(record, 0, 2);
  put(record, std::min(count, zip_max16), 2), put(record, std::min(count, zip_max16), 2);
  put(record, std::min(size, zip_max32), 4), put(record, std::min(directory, zip_max32), 4),
      put(record, 0, 2);
  write(record);
}

}  // namespace lazylogit::io
