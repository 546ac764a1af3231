// The container of model files: safetensors, in one canonical form, with what that format lacks.
//
//   8 bytes        length of the header, little-endian; a multiple of 8
//   header         one JSON object: sorted keys, no white space, then spaces up to the multiple of 8
//   tensors        one after another without holes: those of 8-byte items by name, then those of 4 bytes by
//   name, then those of bytes by name
// The header's "__metadata__" (strings only) begins with "checksum": XXH3-128 of the whole file, 32
// lower-case hex digits, taken with these digits as zeros. It also holds "format", "format_version" and
// "total_bytes" (20 digits).
//
// Reading verifies in this order: length, JSON, format version, canonical form, total length, structure
// (types, shapes, offsets), checksum. Every failure is an InputError with file and byte offset. Nothing is
// allocated from a number in the header: all sizes are compared with the bytes present. A newer minor version
// may bring tensors and metadata that this version does not know; a newer major version is refused.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit {
class OutputFile;
}

namespace lazylogit::model {

enum class TensorType { f64, i64, f32, u8 };

struct Tensor {
  std::string name;
  TensorType type = TensorType::u8;
  std::vector<std::uint64_t> shape;
  std::string_view bytes;         // num_bytes() of them
  std::uint64_t byte_offset = 0;  // reader: of the first byte in the file, for messages

  std::uint64_t num_bytes() const noexcept;  // from the shape
};

struct FormatVersion {
  int major = 1;
  int minor = 0;
};
inline constexpr FormatVersion current_format{1, 4};

struct ContainerLimits {
  std::uint64_t header_bytes = std::uint64_t{64} << 20;
};

struct Container {
  FormatVersion version;
  std::map<std::string, std::string, std::less<>> metadata;  // without the container's own four entries
  std::vector<Tensor> tensors;                               // by name
  const Tensor* find(std::string_view name) const noexcept;
};

// A tensor on its way into a file, which may lie elsewhere in another form.
using ByteSink = std::function<void(std::string_view)>;
struct StreamedTensor {
  std::string name;
  TensorType type = TensorType::u8;
  std::vector<std::uint64_t> shape;
  std::function<void(const ByteSink&)> produce;  // all of its bytes, in any number of pieces
};
// Where the bytes of a file go. Its checksum stands before all tensors: where `rewrite` can put bytes over some that were
// written, each tensor is made once, else twice.
struct ContainerSink {
  ByteSink write;
  std::function<void(std::uint64_t offset, std::string_view)> rewrite;
  ContainerLimits limits = {};
};
ContainerSink sink_of(OutputFile& file, const ContainerLimits& limits = {});
// The error for a header of so many bytes.
[[noreturn]] void fail_header_size(std::uint64_t bytes, const ContainerLimits& limits);
// The bytes of a file, in pieces. Metadata and tensors may come in any order; the bytes do not depend on it. Throws
// IoError, before the first piece, when the header would exceed its limit.
void write_container(const std::map<std::string, std::string, std::less<>>& metadata,
                     const std::vector<StreamedTensor>& tensors, const ContainerSink& out);

// Where a file's parts lie, from its first bytes: what a loader needs to know before it reads on.
std::uint64_t header_length(std::span<const char> first_8_bytes, std::uint64_t file_bytes,
                            const std::string& file, const ContainerLimits& limits);
// Checks everything but the checksum; `head` is the first 8 bytes and the header. Tensors have offsets but no
// bytes.
Container parse_header(std::span<const char> head, std::uint64_t file_bytes, const std::string& file);
// Checks the checksum of the whole file and points the tensors into `bytes`, which must outlive them.
void attach_bytes(Container& container, std::span<const char> bytes, const std::string& file);

// All of the above.
Container read_container(std::span<const char> bytes, const std::string& file, const ContainerLimits& limits);

// The digits that belong into a file of these bytes; the file must begin as write_container begins (for tests
// and fuzzing).
std::string container_checksum(std::span<const char> bytes);
inline constexpr std::size_t checksum_offset = 8 + 29, checksum_digits = 32;

}  // namespace lazylogit::model
