// gzip and zstd behind one loop: members one after another, each checked to its end.
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/io/byte_source.hpp"
#include "lazylogit/io/foreign_bytes.hpp"
#include "lazylogit/io/free_expansion.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 17;
constexpr std::size_t longest_header = 18;  // of a zstd frame

bool starts_gzip(std::string_view bytes) noexcept {
  return bytes.size() >= 2 && bytes.substr(0, 2) == std::string_view("\x1f\x8b", 2);
}

bool starts_zstd(std::string_view bytes) noexcept {
  if (bytes.size() < 4) return false;
  if (bytes.substr(0, 4) == std::string_view("\x28\xb5\x2f\xfd", 4)) return true;
  const auto first = static_cast<unsigned char>(bytes[0]);  // a skippable frame
  return first >= 0x50 && first <= 0x5f && bytes.substr(1, 3) == std::string_view("\x2a\x4d\x18", 3);
}

// One compressed format: consumes from [*in, *in_size), writes to [to, size).
class Codec {
 public:
  enum class Status { more, member_end, damaged, no_memory };
  virtual ~Codec() = default;
  virtual Status step(const char*& in, std::size_t& in_size, char*& to, std::size_t& size) = 0;
  // Sees the header of each member before its first step.
  virtual void begin_member(std::string_view) noexcept {}
  virtual bool starts_member(std::string_view bytes) const noexcept = 0;
  virtual const char* name() const noexcept = 0;
};

class GzipCodec final : public Codec {
 public:
  GzipCodec() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  GzipCodec(const GzipCodec&) = delete;
  GzipCodec& operator=(const GzipCodec&) = delete;
  ~GzipCodec() override { inflateEnd(&stream_); }

  Status step(const char*& in, std::size_t& in_size, char*& to, std::size_t& size) override {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    // zlib never writes through next_in; its C interface only lacks the const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in));
    stream_.avail_in = static_cast<uInt>(std::min(in_size, most));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(size, most));
    const uInt in_before = stream_.avail_in, out_before = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    in += in_before - stream_.avail_in;
    in_size -= in_before - stream_.avail_in;
    to += out_before - stream_.avail_out;
    size -= out_before - stream_.avail_out;
    if (result == Z_STREAM_END) {
      inflateReset(&stream_);
      return Status::member_end;
    }
    if (result == Z_MEM_ERROR) return Status::no_memory;
    return result == Z_OK || result == Z_BUF_ERROR ? Status::more : Status::damaged;
  }
  bool starts_member(std::string_view bytes) const noexcept override { return starts_gzip(bytes); }
  const char* name() const noexcept override { return "gzip"; }

 private:
  z_stream stream_ = {};
};

class ZstdCodec final : public Codec {
 public:
  ZstdCodec() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ZstdCodec(const ZstdCodec&) = delete;
  ZstdCodec& operator=(const ZstdCodec&) = delete;
  ~ZstdCodec() override { ZSTD_freeDStream(stream_); }

  Status step(const char*& in, std::size_t& in_size, char*& to, std::size_t& size) override {
    ZSTD_inBuffer input = {in, in_size, 0};
    ZSTD_outBuffer output = {to, size, 0};
    const std::size_t result = ZSTD_decompressStream(stream_, &output, &input);
    in += input.pos;
    in_size -= input.pos;
    to += output.pos;
    size -= output.pos;
    if (ZSTD_isError(result)) return Status::damaged;
    produced_ += output.pos;
    if (result != 0) return Status::more;
    // libzstd compares the two only where a frame fits into the buffer at once.
    const bool declared = declared_ != ZSTD_CONTENTSIZE_UNKNOWN && declared_ != ZSTD_CONTENTSIZE_ERROR;
    return declared && produced_ != declared_ ? Status::damaged : Status::member_end;
  }
  void begin_member(std::string_view bytes) noexcept override {
    declared_ = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    produced_ = 0;
  }
  bool starts_member(std::string_view bytes) const noexcept override { return starts_zstd(bytes); }
  const char* name() const noexcept override { return "zstd"; }

 private:
  ZSTD_DStream* stream_;
  unsigned long long declared_ = ZSTD_CONTENTSIZE_UNKNOWN, produced_ = 0;  // bytes of the frame
};

class ExpandingSource final : public ByteSource {
 public:
  ExpandingSource(std::unique_ptr<Codec> codec, std::unique_ptr<ByteSource> raw, std::string name,
                  std::uint64_t max_expansion)
      : codec_(std::move(codec)),
        raw_(std::move(raw)),
        name_(std::move(name)),
        max_expansion_(max_expansion) {
    buffer_.resize(chunk_bytes);
  }

  std::size_t read(char* to, std::size_t size) override {
    char* out = to;
    std::size_t room = size;
    while (out == to && room > 0) {
      if (between_members_ && !begin_member()) return 0;
      const bool at_end = in_size_ == 0 && !refill();
      const std::size_t room_before = room;
      const auto status = codec_->step(in_, in_size_, out, room);
      if (status == Codec::Status::damaged) fail("the " + std::string(codec_->name()) + " data is damaged");
      if (status == Codec::Status::no_memory) throw std::bad_alloc();
      if (status == Codec::Status::member_end)
        between_members_ = true;
      else if (at_end && room == room_before)
        fail("the " + std::string(codec_->name()) + " data is cut off: expected more bytes");
    }
    produced_ += static_cast<std::uint64_t>(out - to);
    check_expansion();
    return static_cast<std::size_t>(out - to);
  }
  std::uint64_t consumed() const noexcept override { return position(); }

 private:
  std::uint64_t position() const noexcept { return taken_ - in_size_; }

  bool refill() {
    // Keeps what is left, so that a member's first bytes can be looked at together.
    std::copy(in_, in_ + in_size_, buffer_.data());
    in_ = buffer_.data();
    const std::size_t count = raw_->read(buffer_.data() + in_size_, buffer_.size() - in_size_);
    in_size_ += count;
    taken_ += count;
    return count > 0;
  }

  // True when another member begins; false at the end of the file.
  bool begin_member() {
    // The whole frame header at once: libzstd, given a header in two pieces, takes the second piece for the
    // start of a frame when it looks for a shortcut, and may skip a damaged one.
    while (in_size_ < longest_header && refill()) {
    }
    if (in_size_ == 0) return false;
    if (!codec_->starts_member({in_, in_size_}))
      fail("found bytes after the end of the " + std::string(codec_->name()) +
           " data, expected the end of the file or another member");
    codec_->begin_member({in_, in_size_});
    between_members_ = false;
    return true;
  }

  void check_expansion() const {
    const std::uint64_t used = std::max<std::uint64_t>(1, position());
    if (produced_ > free_expansion && (produced_ - free_expansion) / used >= max_expansion_)
      throw IoError(
          name_,
          "expands to more than " + std::to_string(max_expansion_) + " times its size, which is the limit",
          "see --max-expansion");
  }

  [[noreturn]] void fail(std::string message) const {
    throw InputError(
        {.message = std::move(message), .file = name_, .byte = position(), .code = "damaged-compression"});
  }

  std::unique_ptr<Codec> codec_;
  std::unique_ptr<ByteSource> raw_;
  std::string name_;
  std::uint64_t max_expansion_;
  Buffer<char> buffer_;
  const char* in_ = nullptr;
  std::size_t in_size_ = 0;
  std::uint64_t taken_ = 0, produced_ = 0;
  bool between_members_ = true;
};

// Enough bytes to see what they are, and not a moment's waiting for more: a pipe may have no more to say for long.
Buffer<char> read_head(ByteSource& source) {
  constexpr std::size_t enough = 4;
  Buffer<char> head;
  head.resize(foreign_head_bytes);
  std::size_t have = 0;
  while (have < enough) {
    const std::size_t count = source.read(head.data() + have, head.size() - have);
    if (count == 0) break;
    have += count;
  }
  head.resize(have);
  return head;
}

}  // namespace

std::unique_ptr<ByteSource> make_expanding_source(std::unique_ptr<ByteSource> raw, std::string name,
                                                  std::uint64_t max_expansion) {
  Buffer<char> prefix = read_head(*raw);
  const std::string_view first(prefix.data(), prefix.size());
  const bool gzip = starts_gzip(first), zstd = starts_zstd(first);
  if (!gzip && !zstd) refuse_foreign(first, name);
  auto source = make_prefixed_source(std::move(prefix), std::move(raw));
  if (!gzip && !zstd) return source;
  std::unique_ptr<Codec> codec;
  if (gzip)
    codec = std::make_unique<GzipCodec>();
  else
    codec = std::make_unique<ZstdCodec>();
  source = std::make_unique<ExpandingSource>(std::move(codec), std::move(source), name, max_expansion);
  prefix = read_head(*source);
  refuse_foreign({prefix.data(), prefix.size()}, name, gzip ? "gzip" : "zstd");
  return make_prefixed_source(std::move(prefix), std::move(source));
}

}  // namespace lazylogit::io
