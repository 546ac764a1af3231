// The binary cache of a data set: what text becomes once it has been read. docs/formats/cache.md is the same for others.
//
//   magic      8 bytes "\x89LLCACHE"
//   version    u32 major, u32 minor
//   header     u64 size, u64 checksum, then that many bytes: facts, names, labels, input (cache_header.cpp)
//   arrays     u64 row offsets; u32 ids; values (none, f32 or f64); i32 labels; f64 weights, f64 offsets, u64 ends of ids
//              and the bytes of ids where there are any. Each begins at a multiple of 64 bytes of the file; zeros between.
//   checksums  u64 of each piece of 4 MiB of the arrays (with the zeros before, between and after them)
//   end        u32 "DONE", u32 0, u64 pieces, u64 checksum; nothing after it
//
// Arrays lie as they do in memory, so that a file can be mapped and used where it is. A checksum is XXH3-64; that of the
// header is of everything before and after it, that of the end of the other checksums and the end before it; its seed is
// the checksum before (0 for the header). So nothing can be changed, left out, repeated or moved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::io {

inline constexpr std::string_view cache_magic = "\x89LLCACHE";
inline constexpr std::uint32_t cache_major = 2, cache_minor = 0;
inline constexpr std::uint32_t end_mark = 0x454E4F44;  // "DONE"
inline constexpr std::size_t cache_head_size = 32, cache_alignment = 64;
inline constexpr std::size_t cache_piece_bytes = std::size_t{1} << 22;

enum class ValueKind : std::uint8_t { ones, floats, doubles };

struct CacheEnd {  // as it stands in the file, with the checksum after it
  std::uint32_t mark = end_mark, zero = 0;
  std::uint64_t pieces = 0;
};

// What stands before the arrays.
struct CacheHeader {
  ValueKind values = ValueKind::ones;
  bool has_weights = false, has_offsets = false, has_ids = false;
  std::uint64_t num_features = 0;
  std::uint64_t num_rows = 0, num_entries = 0, id_bytes = 0;
  std::uint64_t text_bytes = 0;  // of the data that was read
  std::string fingerprint;       // of the files and options it was made from; empty: not known
  data::Alphabet features;
  data::ClassTable classes;
  data::InputSpec input;
  std::vector<double> idf;
};

// The arrays of a file, by their place in it.
struct CachePlaces {
  struct Stretch {
    std::uint64_t begin = 0, size = 0;  // in bytes; of arrays that are not there: 0
  };
  std::uint64_t begin = 0,
                end = 0;  // of all arrays: `begin` is where the header ends, `end` a multiple of 64
  Stretch row_offsets, ids, values, labels, weights, offsets, id_ends, id_bytes;
  std::uint64_t num_pieces() const noexcept {
    return (end - begin + cache_piece_bytes - 1) / cache_piece_bytes;
  }
  std::uint64_t file_size() const noexcept { return end + 8 * num_pieces() + sizeof(CacheEnd) + 8; }
};
// False where the numbers are larger than any file.
bool find_places(const CacheHeader& header, std::uint64_t header_size, CachePlaces& places);

// `header` has no names, labels, input or factors: those are the data's.
std::string encode_header(const data::Dataset& data, const CacheHeader& header);
// Throws InputError at the header's byte of `file` for anything that encode_header would not write.
CacheHeader decode_header(std::string_view bytes, const std::string& file);

std::uint64_t cache_checksum(std::string_view head, std::string_view bytes, std::uint64_t seed);

}  // namespace lazylogit::io
