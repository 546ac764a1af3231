#include "lazylogit/base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <system_error>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/large_blocks.hpp"
#include "lazylogit/base/pending_outputs.hpp"

namespace lazylogit {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr int max_links = 40;  // what the kernel allows

std::string base_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The name at the end of a chain of symbolic links. Nothing when the chain is too long.
std::optional<std::string> follow_links(std::string path) {
  for (int links = 0; links < max_links; ++links) {
    std::string target(4096, '\0');
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return path;  // not a link, or not there: the next call on it says what is wrong
    target.resize(static_cast<std::size_t>(length));
    path = target.starts_with('/') ? target : directory_of(path) + "/" + target;
  }
  return std::nullopt;
}

std::string temporary_name(const std::string& base_name) {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random))
    random = static_cast<std::uint64_t>(::getpid());  // O_EXCL and the next try do the rest
  return fmt::format(".{}.{:016x}.lazylogit-tmp", base_name.substr(0, 200), random);
}

int fsync_retrying(int descriptor) {
  int result = 0;
  do result = ::fsync(descriptor);
  while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

struct OutputFile::Pending {
  int directory = -1;
  std::string temporary, final_name;  // temporary is empty once it has been renamed or removed
  PendingOutput entry;
  ~Pending() {
    entry.disarm();
    if (directory >= 0) ::close(directory);
  }
};

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw ConfigError("the name of the output is empty", "output");
  open();
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::open() {
  if (is_standard_output(path_)) {
    descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor_ < 0) fail("cannot open", errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return open_direct(path_, O_WRONLY);
  const std::optional<std::string> target = follow_links(path_);
  if (!target) fail("cannot open", ELOOP);
  // What /proc names is an open file, not a place where another file could be put.
  if (target->starts_with("/proc/")) return open_direct(path_, O_WRONLY | O_TRUNC);
  // A rename would replace a file that its owner has protected against writing.
  if (exists && ::faccessat(AT_FDCWD, target->c_str(), W_OK, AT_EACCESS) != 0) fail("cannot write", errno);
  open_pending(*target);
}

void OutputFile::fail(std::string_view action, int error_number) {
  const std::string reason = std::generic_category().message(error_number);
  discard();
  throw IoError(path_ == "-" ? "<stdout>" : path_, std::string(action) + ": " + reason);
}

void OutputFile::open_direct(const std::string& target, int flags) {
  do descriptor_ = ::open(target.c_str(), flags | O_CLOEXEC | O_NOCTTY);
  while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail("cannot open for writing", errno);
}

void OutputFile::open_pending(const std::string& target) {
  auto pending = std::make_unique<Pending>();
  pending->final_name = base_name_of(target);
  if (pending->final_name.empty()) fail("cannot write", EISDIR);
  const std::string directory = directory_of(target);
  pending->directory = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A directory without read permission can still take files; it only cannot be synced.
  if (pending->directory < 0 && errno == EACCES)
    pending->directory = ::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (pending->directory < 0) fail("cannot open its directory", errno);
  struct stat old {};
  const bool replaces = ::fstatat(pending->directory, pending->final_name.c_str(), &old, 0) == 0;
  if (!replaces && errno == ENAMETOOLONG) fail("cannot create", ENAMETOOLONG);  // not only when all is done
  for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
    pending->temporary = temporary_name(pending->final_name);
    if (!pending->entry.arm(pending->directory, pending->temporary.c_str())) fail("cannot create", EMFILE);
    descriptor_ = ::openat(pending->directory, pending->temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    const int error_number = errno;
    if (descriptor_ >= 0) break;
    pending->entry.disarm();
    if (error_number != EEXIST && error_number != EINTR) fail("cannot create", error_number);
  }
  if (descriptor_ < 0) fail("cannot create", EEXIST);
  pending_ = std::move(pending);
  if (replaces) {
    // Keeping the owner is only possible for root; the mode comes last because a change of owner clears bits.
    if (::fchown(descriptor_, old.st_uid, old.st_gid) != 0) errno = 0;
    if (::fchmod(descriptor_, old.st_mode & 0777) != 0) fail("cannot set permissions", errno);
  }
}

bool OutputFile::is_terminal() const noexcept { return is_direct() && ::isatty(descriptor_) == 1; }

void OutputFile::write(std::string_view bytes) {
  bytes_written_ += bytes.size();
  if (buffer_.size() + bytes.size() > buffer_bytes) flush();
  if (bytes.size() >= buffer_bytes) return write_all(bytes);
  if (buffer_.capacity() == 0) buffer_.reserve(buffer_bytes);
  buffer_.append(bytes);
}

void OutputFile::flush() {
  write_all(buffer_);
  buffer_.clear();
}

void OutputFile::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd waiting{.fd = descriptor_, .events = POLLOUT, .revents = 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      fail("cannot write", errno);
    }
  }
}

void OutputFile::rewrite(std::uint64_t offset, std::string_view bytes) {
  flush();
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno != EINTR) fail("cannot write", errno);
    if (count < 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void OutputFile::close_checked() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // Linux has closed the descriptor even when it reports EINTR; a second close could hit another file.
  if (::close(descriptor) != 0 && errno != EINTR) fail("cannot close", errno);
}

void OutputFile::commit() {
  flush();
  if (is_direct()) return close_checked();
  if (fsync_retrying(descriptor_) != 0) fail("cannot sync", errno);
  close_checked();
  if (::renameat(pending_->directory, pending_->temporary.c_str(), pending_->directory,
                 pending_->final_name.c_str()) != 0)
    fail("cannot rename the finished file to this name", errno);
  pending_->entry.disarm();
  pending_->temporary.clear();
  // Some file systems cannot sync a directory; there the rename is as durable as they make it.
  if (fsync_retrying(pending_->directory) != 0 && errno != EINVAL && errno != EBADF && errno != ENOTSUP)
    fail("cannot sync its directory", errno);
}

void OutputFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (pending_ && !pending_->temporary.empty())
    ::unlinkat(pending_->directory, pending_->temporary.c_str(), 0);
  if (pending_) pending_->temporary.clear();
  buffer_.clear();
}

bool is_standard_output(const std::string& path) noexcept {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1";
}

void refuse_output_equal_to_input(const std::string& output, const std::vector<std::string>& inputs,
                                  const std::string& option) {
  const auto identify = [](const std::string& path, int standard_stream, struct stat& status) {
    const int result = path == "-" ? ::fstat(standard_stream, &status) : ::stat(path.c_str(), &status);
    return result == 0 && S_ISREG(status.st_mode);
  };
  struct stat out {
  }, in{};
  if (!identify(output, STDOUT_FILENO, out)) return;
  for (const auto& input : inputs)
    if (identify(input, STDIN_FILENO, in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
      throw ConfigError((output == "-" ? "standard output" : quote_text(output)) +
                            " is the same file as the input " + quote_text(input),
                        option, "choose another name for the output");
}

}  // namespace lazylogit
