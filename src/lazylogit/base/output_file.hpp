// A file that appears whole or not at all: models, checkpoints, predictions and converted data are written
// through it.
//
// Opening creates a temporary file in the directory of the final name (exclusive, called
// ".NAME.RANDOM.lazylogit-tmp", with the permissions of the file it replaces, or 0666 less the umask).
// commit() flushes, syncs, closes, renames over the final name and syncs the directory; the old file stays as
// it is until the rename. Without commit() the destructor removes the temporary file. Two writers: the last
// rename wins, the file is always one of the two.
//
// Symbolic links are followed to their target, also to one that does not exist yet. Devices, pipes and "-"
// (standard output) are written directly; for them commit() only flushes. Every call to the system is
// checked; failures are IoError (ConfigError for an empty name). A program must ignore SIGPIPE and SIGXFSZ,
// or be ended by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit {

class OutputFile {
 public:
  // Throws at once when the place cannot be written: open outputs before long work.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);  // buffered
  void flush();                        // hands the buffer to the system
  void commit();                       // at most once; nothing may be written afterwards
  // Puts bytes in the place of some that were written. Not where is_direct().
  void rewrite(std::uint64_t offset, std::string_view bytes);

  const std::string& path() const noexcept { return path_; }  // as the user typed it
  std::size_t bytes_written() const noexcept { return bytes_written_; }
  bool is_direct() const noexcept { return pending_ == nullptr; }  // a device, a pipe or standard output
  bool is_terminal() const noexcept;

 private:
  struct Pending;
  [[noreturn]] void fail(std::string_view action, int error_number);
  void open();
  void open_direct(const std::string& target, int flags);
  void open_pending(const std::string& target);
  void write_all(std::string_view bytes);
  void close_checked();
  void discard() noexcept;

  std::string path_;
  std::unique_ptr<Pending> pending_;
  int descriptor_ = -1;
  std::string buffer_;
  std::size_t bytes_written_ = 0;
};

// Whether an output of this name is standard output, which then holds nothing else.
bool is_standard_output(const std::string& path) noexcept;

// Removes the temporary files of all outputs that are open in this process. Async-signal-safe: a second
// signal may call it before ending the process. Outputs that are used afterwards fail in commit().
void remove_pending_outputs() noexcept;

// Throws ConfigError when `output` is the same regular file (device and inode, through links too) as one of
// `inputs`; "-" stands for the standard streams. Names that do not exist are different from everything.
void refuse_output_equal_to_input(const std::string& output, const std::vector<std::string>& inputs,
                                  const std::string& option = "output");

}  // namespace lazylogit
