// The binary cache of a data set: what text becomes once it has been read. docs/formats/cache.md is the same for others.
//
//   magic      8 bytes "\x89LLCACHE"
//   version    u32 major, u32 minor
//   header     u64 size, u64 checksum, then that many bytes: facts, names, labels, input (cache_header.cpp)
//   blocks     u32 "BLCK", u32 rows, u64 entries, u64 size, u64 checksum, then that many bytes:
//              u32 entries of each row; u32 ids; values (none, f32 or f64); i32 labels; f64 weights and f64 offsets where
//              there are any; u32 length of each id, and the ids' bytes, where there are any
//   end        u32 "DONE", u32 0, u64 rows, u64 entries, u64 checksum; nothing after it
//
// A checksum is XXH3-64 of what stands before it in its part and of the bytes that follow; its seed is the checksum of the part
// before (of the header: magic and version). So no part can be changed, left out, repeated or moved.
#pragma once

#include <cstdint>
#include <string_view>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::io {

inline constexpr std::string_view cache_magic = "\x89LLCACHE";
inline constexpr std::uint32_t cache_major = 1, cache_minor = 0;
inline constexpr std::uint32_t block_mark = 0x4B434C42, end_mark = 0x454E4F44;  // "BLCK", "DONE"
inline constexpr std::size_t cache_block_bytes = std::size_t{1} << 22;

enum class ValueKind : std::uint8_t { ones, floats, doubles };

struct PartHead {  // of a block or the end, as it stands in the file, with the checksum after it
  std::uint32_t mark = 0, rows = 0;
  std::uint64_t entries = 0, size = 0;
};
struct EndHead {
  std::uint32_t mark = end_mark, zero = 0;
  std::uint64_t rows = 0, entries = 0;
};

// What stands before the rows.
struct CacheHeader {
  ValueKind values = ValueKind::ones;
  bool has_weights = false, has_offsets = false, has_ids = false;
  std::uint64_t num_features = 0;
  std::uint64_t text_bytes = 0;  // of the data that was read
  std::string fingerprint;       // of the files and options it was made from; empty: not known
  data::Alphabet features;
  data::ClassTable classes;
  data::InputSpec input;
  std::vector<double> idf;
};

std::string encode_header(const data::Dataset& data, std::uint64_t text_bytes, std::string_view fingerprint);
// Throws InputError at the header's byte of `file` for anything that encode_header would not write.
CacheHeader decode_header(std::string_view bytes, const std::string& file);

std::uint64_t cache_checksum(std::string_view head, std::string_view bytes, std::uint64_t seed);

}  // namespace lazylogit::io
