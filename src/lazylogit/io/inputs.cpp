#include "lazylogit/io/inputs.hpp"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/standard_input.hpp"

namespace lazylogit::io {
namespace {

std::string reason(int code) { return std::generic_category().message(code); }

std::shared_ptr<void> own_descriptor(int descriptor) {
  return {static_cast<void*>(new int(descriptor)), [](void* p) {
            ::close(*static_cast<int*>(p));
            delete static_cast<int*>(p);
          }};
}

void write_all(int descriptor, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::write(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw IoError("", "cannot keep standard input or a pipe in a temporary file: " + reason(errno),
                    "set TMPDIR to a directory with room");
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

}  // namespace

// The bytes of a pipe, copied to a temporary file as they are read.
struct Input::Spool {
  std::unique_ptr<ByteSource> source;
  int descriptor;

  std::size_t read(char* to, std::size_t size) {
    const std::size_t count = source->read(to, size);
    write_all(descriptor, to, count);
    return count;
  }
};

class Input::SpoolSource final : public ByteSource {
 public:
  explicit SpoolSource(std::shared_ptr<Spool> spool) : spool_(std::move(spool)) {}
  std::size_t read(char* to, std::size_t size) override { return spool_->read(to, size); }
  std::uint64_t consumed() const noexcept override { return spool_->source->consumed(); }
  bool ready() const override { return spool_->source->ready(); }

 private:
  std::shared_ptr<Spool> spool_;
};

Input::Input(std::string path, const Limits& limits)
    : path_(std::move(path)), name_(input_name(path_)), max_expansion_(limits.max_expansion) {
  struct stat status = {};
  const int result = path_ == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path_.c_str(), &status);
  if (result == 0 && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

Input Input::from_memory(std::string name, std::string_view bytes, const Limits& limits) {
  Input input("", limits);
  input.name_ = std::move(name);
  input.memory_ = bytes;
  input.in_memory_ = true;
  input.size_ = bytes.size();
  return input;
}

Input Input::from_text(std::string name, std::string bytes, const Limits& limits) {
  auto owned = std::make_shared<std::string>(std::move(bytes));
  Input input = from_memory(std::move(name), *owned, limits);
  input.descriptor_owner_ = std::move(owned);
  return input;
}

Input Input::from_source(std::string name, std::unique_ptr<ByteSource> source, const Limits& limits) {
  Input input("", limits);
  input.name_ = std::move(name);
  input.pending_ = std::move(source);
  input.pipe_used_ = true;
  return input;
}

Input Input::from_maker(std::string name, Maker make, const Limits& limits) {
  Input input("", limits);
  input.name_ = std::move(name);
  input.make_ = std::move(make);
  return input;
}

std::unique_ptr<ByteSource> Input::open_raw() {
  if (in_memory_) return make_memory_source(memory_);
  if (make_ != nullptr) return make_();
  if (descriptor_ >= 0 && seekable_)
    return make_descriptor_source(descriptor_, true, name_, descriptor_owner_);
  if (pipe_used_) throw IoError(name_, "a pipe can be read only once", "save it to a file first");
  int descriptor = STDIN_FILENO;
  std::shared_ptr<void> owner;
  if (path_ != "-") {
    do {
      descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) throw IoError(name_, "cannot open: " + reason(errno));
    owner = own_descriptor(descriptor);
  }
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) throw IoError(name_, "cannot read: " + reason(errno));
  if (S_ISDIR(status.st_mode))
    throw IoError(name_, "is a directory, expected a file", "name its files, for example with a pattern");
  if (S_ISREG(status.st_mode) && path_ != "-") {
    descriptor_ = descriptor;
    seekable_ = true;
    descriptor_owner_ = owner;
    return make_descriptor_source(descriptor, true, name_, std::move(owner));
  }
  pipe_used_ = true;
  return make_descriptor_source(descriptor, false, name_, std::move(owner));
}

std::unique_ptr<ByteSource> Input::open_fresh() {
  if (spool_ != nullptr) finish_spool();
  auto raw = open_raw();
  return spooled_ ? std::move(raw) : make_expanding_source(std::move(raw), name_, max_expansion_);
}

std::string_view Input::peek(std::size_t size) {
  if (peeked_.size() < size) {
    if (pending_ == nullptr) pending_ = open_fresh();
    const std::size_t have = peeked_.size();
    peeked_.resize(size);
    peeked_.resize(have + read_fully(*pending_, peeked_.data() + have, size - have));
  }
  return {peeked_.data(), std::min(size, peeked_.size())};
}

std::unique_ptr<ByteSource> Input::open() {
  if (is_kept_ && !can_reopen() && spool_ == nullptr) return open_kept();
  if (pending_ == nullptr) return open_fresh();
  return make_prefixed_source(std::exchange(peeked_, {}), std::exchange(pending_, nullptr));
}

MappedBytes Input::map(std::string_view magic) {
  if (in_memory_) return {};
  peek(magic.size());  // opens it
  if (!seekable_) return {};
  std::string first(magic.size(), '\0');
  struct stat status = {};
  if (::pread(descriptor_, first.data(), first.size(), 0) != static_cast<ssize_t>(first.size()) ||
      first != magic || ::fstat(descriptor_, &status) != 0)
    return {};
  return map_file(descriptor_, static_cast<std::size_t>(status.st_size), name_);
}

std::unique_ptr<ByteSource> Input::open_kept() {
  if (pending_ == nullptr) pending_ = open_fresh();
  if (seekable_) return std::exchange(pending_, nullptr);
  // What peek() has decompressed already cannot be unread, so the expanded bytes are kept.
  const int descriptor = open_unlinked(temporary_directory());
  descriptor_owner_ = own_descriptor(descriptor);
  spool_ = std::make_shared<Spool>(
      Spool{make_prefixed_source(std::exchange(peeked_, {}), std::exchange(pending_, nullptr)), descriptor});
  return std::make_unique<SpoolSource>(spool_);
}

void Input::finish_spool() {
  std::string buffer(std::size_t{1} << 20, '\0');
  while (spool_->read(buffer.data(), buffer.size()) > 0) continue;
  descriptor_ = spool_->descriptor;
  seekable_ = true;
  spooled_ = true;
  spool_.reset();
}

void Input::make_rewindable() {
  is_kept_ = true;
  if (can_reopen()) return;
  if (spool_ == nullptr) open();
  if (spool_ != nullptr) finish_spool();
}

std::vector<Input> expand_inputs(const std::vector<std::string>& arguments, const Limits& limits) {
  std::vector<Input> inputs;
  refuse_standard_input_twice(arguments);
  for (const std::string& argument : arguments) {
    if (argument == "-") {
      inputs.emplace_back(argument, limits);
      continue;
    }
    struct stat status = {};
    if (::stat(argument.c_str(), &status) == 0) {
      inputs.emplace_back(argument, limits);
      continue;
    }
    const int code = errno;
    if (argument.find_first_of("*?[") == std::string::npos)
      throw IoError(argument, "cannot open: " + reason(code));
    glob_t found = {};
    const int result = ::glob(argument.c_str(), GLOB_NOSORT, nullptr, &found);
    std::vector<std::string> paths;
    if (result == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    if (result == GLOB_NOSPACE) throw std::bad_alloc();
    if (paths.empty()) throw IoError(argument, "no file matches this pattern");
    std::sort(paths.begin(), paths.end());
    for (std::string& path : paths) inputs.emplace_back(std::move(path), limits);
  }
  if (inputs.empty()) throw ConfigError("no input named, expected files, patterns or - for standard input");
  return inputs;
}

}  // namespace lazylogit::io
