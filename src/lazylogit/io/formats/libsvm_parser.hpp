// Parses one block of libsvm text into a RowBlock; the inner loop is as tight as the bare number parse
// allows.
#pragma once

#include <optional>

#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

class LibsvmParser {
 public:
  struct Settings {
    const ReadOptions* options;  // must outlive the parser
    Precision precision;
    int index_base;
    std::optional<int> hash_bits;         // hash the index's decimal text
    bool learning = true;                 // hashed: count distinct names
    const IndexLookup* lookup = nullptr;  // fixed names, of indices or slots; must outlive the parser
    GrowingNames* growing = nullptr;      // a stream: indices become columns as they appear
  };
  explicit LibsvmParser(const Settings& settings) : settings_(settings) {}

  void parse(const TextBlock& block, RowBlock& out) const;

 private:
  template <class T>
  void parse_rows(const TextBlock& block, RowBlock& out, Buffer<T>& values) const;
  template <class T>
  RowEnd translate_row(RowBlock& out, Buffer<T>& values, std::uint32_t label, bool ones) const;
  std::optional<ErrorDetail> read_label(const TextBlock& block, const char*& p, const char* end,
                                        RowBlock& out, std::uint32_t& label) const;
  bool is_growing() const noexcept { return settings_.growing != nullptr && !settings_.hash_bits; }

  Settings settings_;
};

}  // namespace lazylogit::io
