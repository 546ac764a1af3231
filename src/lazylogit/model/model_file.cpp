#include "lazylogit/model/model_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/output_file.hpp"
#include "lazylogit/base/standard_input.hpp"

namespace lazylogit::model {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : name_(input_name(path)),
        number_(path == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                            : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) fail("open");
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  struct stat status() const {
    struct stat status {};
    if (::fstat(number_, &status) != 0) fail("examine");
    return status;
  }

  // Appends up to `count` bytes; fewer only at the end of the file.
  void read(Buffer<char>& bytes, std::size_t count) const {
    const std::size_t target = bytes.size() + count;
    std::size_t at = bytes.size();
    bytes.resize(target);
    while (at < target) {
      const ssize_t got = ::read(number_, bytes.data() + at, std::min<std::size_t>(target - at, 1u << 30));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read");
      if (got == 0) break;
      at += static_cast<std::size_t>(got);
    }
    bytes.resize(at);
  }

 private:
  [[noreturn]] void fail(const char* action) const {
    throw IoError(name_, fmt::format("cannot {} the model: {}", action, std::strerror(errno)));
  }

  std::string name_;
  int number_;
};

Model load_stream(const Descriptor& input, const std::string& path, const ContainerLimits& limits) {
  Buffer<char> bytes;
  for (std::size_t step = 1 << 16;; step = std::max<std::size_t>(step, bytes.size())) {
    const std::size_t before = bytes.size();
    input.read(bytes, step);
    if (before == 0 && bytes.size() >= 8)
      // A pipe has no length: the header's own length is still bounded before more is read.
      header_length(bytes.span().first(8), ~std::uint64_t{0}, path, limits);
    if (bytes.size() < before + step) break;
  }
  return deserialize(bytes.span(), path, limits);
}

}  // namespace

void save_model(const Model& model, const std::string& path) {
  OutputFile file(path);
  serialize(model, sink_of(file));
  file.commit();
}

Model load_model(const std::string& file, const ContainerLimits& limits) {
  const Descriptor input(file);
  const std::string path = input_name(file);
  const struct stat status = input.status();
  if (S_ISDIR(status.st_mode)) throw IoError(path, "is a directory; expected a model file");
  // Standard input may have been read in part.
  if (file == "-" || !S_ISREG(status.st_mode)) return load_stream(input, path, limits);
  // The header is checked before the rest is read: a large file that is no model is refused at once.
  const auto size = static_cast<std::uint64_t>(status.st_size);
  Buffer<char> bytes;
  input.read(bytes, 8);
  const std::uint64_t length =
      header_length(bytes.span(), std::max<std::uint64_t>(size, bytes.size()), path, limits);
  input.read(bytes, length);
  if (bytes.size() < 8 + length)
    throw InputError({.message = "the file was cut while it was read", .file = path, .byte = bytes.size()});
  parse_header(bytes.span(), size, path);
  bytes.reserve(size + 1);
  input.read(bytes, size - bytes.size());
  if (bytes.size() < size)
    throw InputError({.message = "the file was cut while it was read", .file = path, .byte = bytes.size()});
  input.read(bytes, 1);  // a file that has grown is refused by its length
  return deserialize(bytes.span(), path, limits);
}

}  // namespace lazylogit::model
