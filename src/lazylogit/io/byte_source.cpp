#include "lazylogit/io/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/io/stop_reading.hpp"

namespace lazylogit::io {
namespace {

class DescriptorSource final : public ByteSource {
 public:
  DescriptorSource(int descriptor, bool seekable, std::string name, std::shared_ptr<void> keep_alive)
      : descriptor_(descriptor),
        seekable_(seekable),
        name_(std::move(name)),
        keep_alive_(std::move(keep_alive)) {
    // A pipe that holds a block lets the writer work while this one is parsed. Where it may not grow it stays as it is.
    constexpr int pipe_bytes = 1 << 20;
    if (!seekable_) ::fcntl(descriptor_, F_SETPIPE_SZ, pipe_bytes);
  }

  std::size_t read(char* to, std::size_t size) override {
    if (size == 0) return 0;
    const std::size_t step = std::min(size, std::size_t{1} << 30);
    for (;;) {
      if (!seekable_) wait();
      const ssize_t count = seekable_ ? ::pread(descriptor_, to, step, static_cast<off_t>(consumed_))
                                      : ::read(descriptor_, to, step);
      if (count >= 0) {
        consumed_ += static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
      }
      if (errno != EINTR) throw IoError(name_, "cannot read: " + std::generic_category().message(errno));
    }
  }
  std::uint64_t consumed() const noexcept override { return consumed_; }
  bool ready() const override { return seekable_ || poll_for(patience); }

 private:
  static constexpr int patience = 20, look_interval = 100;  // milliseconds

  bool poll_for(int milliseconds) const noexcept {
    pollfd state = {descriptor_, POLLIN, 0};
    return ::poll(&state, 1, milliseconds) != 0;  // an error shows in read()
  }
  // Until there is something to read, or somebody else says that it is not wanted.
  void wait() const {
    const std::atomic<bool>* const stop = StopReading::flag();
    if (stop == nullptr) return;
    do {
      if (stop->load(std::memory_order_relaxed)) throw Cancelled();
    } while (!poll_for(look_interval));
  }

  int descriptor_;
  bool seekable_;
  std::string name_;
  std::shared_ptr<void> keep_alive_;
  std::uint64_t consumed_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, bytes_.size() - at_);
    if (count > 0) std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }
  std::uint64_t consumed() const noexcept override { return at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(Buffer<char> prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}
  std::size_t read(char* to, std::size_t size) override {
    if (at_ == prefix_.size()) return rest_->read(to, size);
    const std::size_t count = std::min(size, prefix_.size() - at_);
    if (count > 0) std::memcpy(to, prefix_.data() + at_, count);
    at_ += count;
    if (at_ == prefix_.size()) {  // of a wide table it is large
      prefix_ = {};
      at_ = 0;
    }
    return count;
  }
  std::uint64_t consumed() const noexcept override { return rest_->consumed(); }
  bool ready() const override { return at_ < prefix_.size() || rest_->ready(); }

 private:
  Buffer<char> prefix_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

std::unique_ptr<ByteSource> make_descriptor_source(int descriptor, bool seekable, std::string name,
                                                   std::shared_ptr<void> keep_alive) {
  return std::make_unique<DescriptorSource>(descriptor, seekable, std::move(name), std::move(keep_alive));
}

std::unique_ptr<ByteSource> make_memory_source(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

std::unique_ptr<ByteSource> make_prefixed_source(Buffer<char> prefix, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<PrefixedSource>(std::move(prefix), std::move(rest));
}

std::size_t read_fully(ByteSource& source, char* to, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const std::size_t count = source.read(to + have, size - have);
    if (count == 0) break;
    have += count;
  }
  return have;
}

}  // namespace lazylogit::io
