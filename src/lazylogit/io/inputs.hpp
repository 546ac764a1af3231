// The inputs of a run: from what the user typed to sources that can be opened.
//
// An Input is a file, a FIFO, standard input ("-", shown as <stdin>), bytes in memory or bytes that a function makes. It is opened on
// first need; peek() looks at its first bytes without losing them. Regular files and memory can be opened any
// number of times; a pipe once, unless its bytes are copied to an unlinked temporary file: keep_while_reading() does so as
// they are read, so that an error in them stops a pipe that has no end; make_rewindable() at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/large_blocks.hpp"
#include "lazylogit/io/byte_source.hpp"
#include "lazylogit/io/read_options.hpp"

namespace lazylogit::io {

class Input {
 public:
  // Opens nothing yet; "-" is standard input.
  Input(std::string path, const Limits& limits);
  // Bytes in memory under a display name; the caller keeps them alive.
  static Input from_memory(std::string name, std::string_view bytes, const Limits& limits = {});
  // The same, keeping the bytes itself.
  static Input from_text(std::string name, std::string bytes, const Limits& limits = {});

  // Bytes of a source that can be read once, unless make_rewindable() is called first.
  static Input from_source(std::string name, std::unique_ptr<ByteSource> source, const Limits& limits = {});
  // Bytes that are made anew whenever they are read: `make` gives them from the start.
  using Maker = std::function<std::unique_ptr<ByteSource>()>;
  static Input from_maker(std::string name, Maker make, const Limits& limits = {});

  const std::string& name() const noexcept { return name_; }  // as typed, "<stdin>" for "-"
  // The size of the file before decompression; 0 when it is not known (pipes).
  std::uint64_t size() const noexcept { return size_; }
  // Up to `size` first bytes after decompression; fewer only where the input is shorter.
  std::string_view peek(std::size_t size = 65536);
  // The bytes from the start. IoError when it cannot be opened, is a directory, or is a pipe already used.
  std::unique_ptr<ByteSource> open();
  // A regular file (or one kept by make_rewindable) that begins with `magic`, uncompressed, in memory as it lies on disk;
  // nothing for all others. open() works as before.
  MappedBytes map(std::string_view magic);
  // After either, open() works any number of times. A source that was opened before must not be read after another open().
  void keep_while_reading() noexcept { is_kept_ = true; }
  void make_rewindable();

 private:
  bool can_reopen() const noexcept { return in_memory_ || seekable_ || make_ != nullptr; }
  std::unique_ptr<ByteSource> open_raw();
  std::unique_ptr<ByteSource> open_fresh();
  std::unique_ptr<ByteSource> open_kept();
  void finish_spool();

  struct Spool;
  class SpoolSource;

  std::string path_, name_;
  std::uint64_t max_expansion_ = 0;
  std::uint64_t size_ = 0;
  std::string_view memory_;
  bool in_memory_ = false;
  Maker make_;
  bool pipe_used_ = false;
  std::shared_ptr<void> descriptor_owner_;  // an open regular file or a spooled pipe
  int descriptor_ = -1;
  bool seekable_ = false;
  bool is_kept_ = false;
  std::shared_ptr<Spool> spool_;         // a pipe that is being kept
  bool spooled_ = false;                 // the descriptor holds bytes that are expanded already
  std::unique_ptr<ByteSource> pending_;  // opened by peek()
  Buffer<char> peeked_;
};

// Expands globs (sorted by byte order) and opens nothing. A name with *, ? or [ that names an existing file
// is that file. IoError names a missing file, or a pattern without a match. "-" may occur once.
std::vector<Input> expand_inputs(const std::vector<std::string>& arguments, const Limits& limits);

}  // namespace lazylogit::io
