#include "lazylogit/io/foreign_bytes.hpp"

#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view decompress = "decompress it first; gzip and zstd are read as they are";
constexpr std::string_view unpack = "unpack it and name its files";
constexpr std::string_view export_table = "export it as csv, jsonl or npy first";
constexpr std::string_view no_data = "name a file of data";

struct Signature {
  std::size_t at;
  std::string_view bytes;
  std::string_view what;
  std::string_view hint;
};

constexpr Signature signatures[] = {
    {0, "BZh"sv, "bzip2-compressed data", decompress},
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "xz-compressed data", decompress},
    {0, "\x5D\0\0"sv, "lzma-compressed data", decompress},
    {0, "LZIP"sv, "lzip-compressed data", decompress},
    {0, "\x04\x22\x4D\x18"sv, "lz4-compressed data", decompress},
    {0, "\x02\x21\x4C\x18"sv, "lz4-compressed data", decompress},
    {0, "\x89LZO"sv, "lzop-compressed data", decompress},
    {0, "\xFF\x06\0\0sNaPpY"sv, "snappy-compressed data", decompress},
    {0, "\x1F\x9D"sv, "data compressed by compress", decompress},
    {0,
     "7z\xBC\xAF\x27"
     "\x1C"sv,
     "a 7z archive", unpack},
    {0, "Rar!\x1A\x07"sv, "a rar archive", unpack},
    {257, "ustar"sv, "a tar archive", unpack},
    {0, "PAR1"sv, "a Parquet file", export_table},
    {0, "PARE"sv, "an encrypted Parquet file", export_table},
    {0, "ARROW1\0\0"sv, "an Arrow file", export_table},
    {0, "\xFF\xFF\xFF\xFF"sv, "an Arrow stream", export_table},
    {0, "FEA1"sv, "a Feather file", export_table},
    {0, "ORC"sv, "an ORC file", export_table},
    {0, "Obj\x01"sv, "an Avro file", export_table},
    {0, "SQLite format 3\0"sv, "an SQLite database", export_table},
    {8, "DUCK"sv, "a DuckDB database", export_table},
    {0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file", export_table},
    {0, "CDF\x01"sv, "a NetCDF file", export_table},
    {0, "CDF\x02"sv, "a NetCDF file", export_table},
    {0, "MATLAB "sv, "a MATLAB file", export_table},
    {0, "RDX"sv, "an R data file", export_table},
    {0, "X\n\0\0\0"sv, "an R data file", export_table},
    {0, "<stata_dta>"sv, "a Stata file", export_table},
    {0, "$FL2"sv, "an SPSS file", export_table},
    {0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an old Office file (xls, doc)", export_table},
    {0, "\x80\x02"sv, "a Python pickle", export_table},
    {0, "\x80\x03"sv, "a Python pickle", export_table},
    {0, "\x80\x04\x95"sv, "a Python pickle", export_table},
    {0, "\x80\x05\x95"sv, "a Python pickle", export_table},
    {0, "%PDF-"sv, "a PDF document", no_data},
    {0, "\x89PNG\r\n\x1A\n"sv, "a PNG picture", no_data},
    {0, "\xFF\xD8\xFF"sv, "a JPEG picture", no_data},
    {0, "GIF8"sv, "a GIF picture", no_data},
    {0,
     "\x7F"
     "ELF"sv,
     "a program or library", no_data},
};

unsigned byte_at(std::string_view text, std::size_t i) noexcept {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0x100U;
}

// Whether some byte is none of a text's. The last ones may be a character that is cut.
bool is_binary(std::string_view head) noexcept {
  const char* const bad = find_bad_byte(head);
  constexpr std::ptrdiff_t longest_cut = 3;
  return bad != nullptr && (head.data() + head.size() - bad > longest_cut || *bad == '\0');
}

// Images and labels as MNIST's: two zeros, a type, a number of dimensions.
bool is_idx(std::string_view head) noexcept {
  const unsigned type = byte_at(head, 2), rank = byte_at(head, 3);
  return byte_at(head, 0) == 0 && byte_at(head, 1) == 0 && type >= 0x08 && type <= 0x0E && type != 0x0A &&
         rank >= 1 && rank <= 8;
}

// A length in eight bytes, then the header.
bool is_safetensors(std::string_view head) noexcept {
  return head.size() > 9 && head.substr(4, 6) == "\0\0\0\0{\""sv;
}

// The name of a wide encoding that the first bytes show, or nullptr. Without a mark: NUL beside ASCII.
const char* wide_encoding(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return byte_at(text, i); };
  if (at(0) == 0xFF && at(1) == 0xFE)
    return at(2) == 0 && at(3) == 0 ? "UTF-32 (little endian)" : "UTF-16 (little endian)";
  if (at(0) == 0xFE && at(1) == 0xFF) return "UTF-16 (big endian)";
  if (at(0) == 0 && at(1) == 0 && at(2) == 0xFE && at(3) == 0xFF) return "UTF-32 (big endian)";
  const auto ascii = [&](std::size_t i) { return at(i) >= 9 && at(i) < 0x7F; };
  if (text.size() < 4) return nullptr;
  if (ascii(0) && at(1) == 0 && at(2) == 0 && at(3) == 0) return "UTF-32 (little endian)";
  if (at(0) == 0 && at(1) == 0 && at(2) == 0 && ascii(3)) return "UTF-32 (big endian)";
  if (ascii(0) && at(1) == 0 && ascii(2) && at(3) == 0) return "UTF-16 (little endian)";
  if (at(0) == 0 && ascii(1) && at(2) == 0 && ascii(3)) return "UTF-16 (big endian)";
  return nullptr;
}

[[noreturn]] void refuse(std::string_view what, std::string_view hint, const std::string& file,
                         std::string_view within) {
  std::string message = "this is " + std::string(what);
  if (!within.empty()) message += " within " + std::string(within) + " data";
  message += ", which is not read";
  throw InputError(
      {.message = std::move(message), .hint = std::string(hint), .file = file, .code = "foreign-format"});
}

}  // namespace

void refuse_foreign(std::string_view head, const std::string& file, std::string_view within) {
  head = head.substr(0, foreign_head_bytes);
  if (!is_binary(head)) return;
  for (const Signature& signature : signatures)
    if (head.size() >= signature.at && head.substr(signature.at).starts_with(signature.bytes))
      refuse(signature.what, signature.hint, file, within);
  if (is_idx(head)) refuse("an idx file, as those of MNIST", export_table, file, within);
  if (is_safetensors(head)) refuse("a safetensors file, as models are", no_data, file, within);
  if (within.empty()) return;
  if (head.starts_with("\x1F\x8B"sv)) refuse("gzip data", decompress, file, within);
  if (head.starts_with("\x28\xB5\x2F\xFD"sv)) refuse("zstd data", decompress, file, within);
}

void refuse_other_than_text(std::string_view head, const std::string& file) {
  if (const char* const name = wide_encoding(head))
    throw InputError({.message = std::string("the text is in ") + name + ", expected UTF-8",
                      .file = file,
                      .line = 1,
                      .column = 1,
                      .code = "wrong-encoding"});
  for (const std::string_view start : {"PK\x03\x04"sv, "PK\x05\x06"sv})
    if (head.starts_with(start))
      refuse("a zip archive (zip, xlsx, npz), expected text",
             "unpack it, or export it as csv; .npz is read with --format npz", file, {});
}

}  // namespace lazylogit::io
