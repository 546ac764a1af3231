// The list of formats that can be written.
#pragma once

#include <span>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/byte_sink.hpp"
#include "lazylogit/io/read_options.hpp"
#include "lazylogit/io/writers/table.hpp"

namespace lazylogit::io {

struct WriteContext {
  std::string path;  // of the output, for errors
  ByteSink& out;
  ByteSink* labels = nullptr;  // npy: where labels go; nullptr: nowhere
  Log& log;
};

// One function per format. What a format cannot carry is refused in one sentence (InputError).
void write_libsvm(Table& table, const WriteContext& context);
void write_vw(Table& table, const WriteContext& context);
void write_csv(Table& table, const WriteContext& context);
void write_tsv(Table& table, const WriteContext& context);
void write_jsonl(Table& table, const WriteContext& context);
void write_npy(Table& table, const WriteContext& context);
void write_npz(Table& table, const WriteContext& context);
void write_cache_format(Table& table, const WriteContext& context);

// What of a data set is text in a file of the format. No control character may be there, which readers refuse; only JSON has
// other ways to say them.
enum class PlainText { none, labels, labels_and_names };

struct WriterEntry {
  Format format;
  void (*write)(Table& table, const WriteContext& context);
  PlainText plain;
};
std::span<const WriterEntry> writer_catalog();

// cannot_hold() for the first label, id or name of a feature that has to be plain text and is not.
void check_plain_text(const Table& table, const WriterEntry& writer, const WriteContext& context);

// Throws the InputError "FORMAT cannot hold WHAT; HINT".
[[noreturn]] void cannot_hold(const WriteContext& context, std::string_view format, std::string_view what,
                              std::string_view hint);

}  // namespace lazylogit::io
