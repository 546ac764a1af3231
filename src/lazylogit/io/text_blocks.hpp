// Cuts text inputs into blocks of whole records: the unit of parallel parsing.
//
// Blocks have about `block_bytes` (a longer record makes a longer block), end at a record end, never span two
// files, and are the same whatever the thread count. A byte order mark is skipped; UTF-16 and UTF-32 are
// refused by name. The last record of a file may lack its line end.
// A record above --max-line-bytes is a LimitError. Bytes are not validated here: parsers do it in parallel,
// with find_bad_byte() on all text that their grammar does not check anyway.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/io/inputs.hpp"

namespace lazylogit::io {

enum class RecordRule {
  lines,         // a record ends at LF
  quoted_lines,  // a record ends at LF outside double quotes (RFC 4180)
};

inline constexpr std::size_t default_block_bytes = std::size_t{1} << 20;
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// Three bytes must be readable: those of a block are, with its padding.
inline bool is_byte_order_mark(const char* at) noexcept {
  return at[0] == byte_order_mark[0] && at[1] == byte_order_mark[1] && at[2] == byte_order_mark[2];
}
inline constexpr std::size_t block_padding = 64;  // readable zero bytes after the text of every block

struct TextBlock {
  Buffer<char> storage;
  std::size_t begin = 0, size = 0;  // of the text within storage
  const std::string* file = nullptr;
  std::size_t file_index = 0;
  std::uint64_t first_line = 1;  // physical line of the first byte, counted from 1 within the file
  std::uint64_t sequence = 0;    // 0, 1, 2, ... over all files
  bool first_of_file = false;

  std::string_view text() const noexcept { return {storage.data() + begin, size}; }
  // The place of a byte of text(), with `file`, `line` and `column` filled in. Linear in the offset: for
  // errors.
  ErrorDetail place(const char* at) const;
};

class TextBlocks {
 public:
  // `inputs` must outlive this object and every block.
  TextBlocks(std::vector<Input>& inputs, RecordRule rule, const Limits& limits,
             std::size_t block_bytes = default_block_bytes);
  ~TextBlocks();

  // Hands a block over early when a pipe has no more bytes for a moment, and the whole records before a place that cannot be
  // read (a compressed file that is cut off) before its error: for streams.
  void set_eager() noexcept { eager_ = true; }
  // The next block, into the storage that `block` has; false at the end. Serial.
  bool next(TextBlock& block);

  // How far it is; other threads may ask while one is in next().
  std::uint64_t bytes_done() const noexcept { return load(bytes_done_); }  // before decompression
  std::uint64_t bytes_total() const noexcept { return total_; }            // 0: some size is not known
  std::uint64_t text_bytes() const noexcept { return load(text_bytes_); }
  std::uint64_t num_blocks() const noexcept { return load(num_blocks_); }  // handed out so far

 private:
  using Count = std::atomic<std::uint64_t>;
  static std::uint64_t load(const Count& count) noexcept { return count.load(std::memory_order_relaxed); }

  bool open_next();
  std::size_t fill(Buffer<char>& storage, std::size_t have, std::size_t want, bool& at_end);
  void check_record_lengths(const TextBlock& block) const;
  // `inside`: the number of quotes in it is odd.
  std::size_t last_record_end(const char* text, std::size_t size, bool inside) const noexcept;

  std::vector<Input>* inputs_;
  RecordRule rule_;
  std::uint64_t max_line_bytes_;
  std::size_t block_bytes_;
  std::size_t next_input_ = 0;
  std::unique_ptr<ByteSource> source_;
  Buffer<char> carry_;  // the start of a record that the previous block did not hold in full
  bool at_start_ = false, eager_ = false;
  std::exception_ptr failure_;  // eager: thrown by the next call
  std::uint64_t line_ = 1;
  std::uint64_t done_before_ = 0, total_ = 0;  // bytes of the files before this one, and of all
  Count bytes_done_ = 0, text_bytes_ = 0, num_blocks_ = 0;
};

// The first byte of `text` that no text may hold: NUL or another control character (tab, LF, CR before LF
// excepted), or malformed UTF-8; nullptr when all is well. Runs at several GB/s.
const char* find_bad_byte(std::string_view text) noexcept;

// The located error for a byte found by find_bad_byte, or for a byte order mark before a record.
ErrorDetail bad_byte_error(const TextBlock& block, const char* at);

}  // namespace lazylogit::io
