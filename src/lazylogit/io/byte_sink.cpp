#include "lazylogit/io/byte_sink.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <string>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t piece_bytes = std::size_t{128} << 10;

class PlainSink final : public ByteSink {
 public:
  explicit PlainSink(OutputFile& out) : out_(out) {}
  void write(std::string_view bytes) override { out_.write(bytes); }
  void finish() override {}

 private:
  OutputFile& out_;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(OutputFile& out) : out_(out), piece_(piece_bytes, '\0') {
    constexpr int gzip_window = MAX_WBITS + 16, memory_level = 8;
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipSink() override { ::deflateEnd(&stream_); }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const std::size_t count = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
      run(bytes.substr(0, count), Z_NO_FLUSH);
      bytes.remove_prefix(count);
    }
  }
  void finish() override { run({}, Z_FINISH); }

 private:
  void run(std::string_view bytes, int flush) {
    // zlib's interface is not const-correct; it does not write here.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
      stream_.avail_out = static_cast<uInt>(piece_.size());
      ::deflate(&stream_, flush);
      out_.write(std::string_view(piece_).substr(0, piece_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

  OutputFile& out_;
  std::string piece_;
  z_stream stream_{};
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(OutputFile& out)
      : out_(out), piece_(::ZSTD_CStreamOutSize(), '\0'), context_(::ZSTD_createCCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void write(std::string_view bytes) override { run(bytes, ZSTD_e_continue); }
  void finish() override { run({}, ZSTD_e_end); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ::ZSTD_freeCCtx(context); }
  };
  void run(std::string_view bytes, ZSTD_EndDirective mode) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer to{piece_.data(), piece_.size(), 0};
      const std::size_t left = ::ZSTD_compressStream2(context_.get(), &to, &in, mode);
      if (::ZSTD_isError(left) != 0)
        throw IoError(out_.path(), std::string("cannot compress: ") + ::ZSTD_getErrorName(left));
      out_.write(std::string_view(piece_).substr(0, to.pos));
      if (mode == ZSTD_e_end ? left == 0 : in.pos == in.size) return;
    }
  }

  OutputFile& out_;
  std::string piece_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<ByteSink> make_byte_sink(OutputFile& out) {
  const std::string_view name = out.path();
  if (name.ends_with(".gz")) return std::make_unique<GzipSink>(out);
  if (name.ends_with(".zst")) return std::make_unique<ZstdSink>(out);
  return std::make_unique<PlainSink>(out);
}

std::string_view without_compression(std::string_view name) noexcept {
  if (name.ends_with(".gz"))
    name.remove_suffix(3);
  else if (name.ends_with(".zst"))
    name.remove_suffix(4);
  return name;
}

}  // namespace lazylogit::io
