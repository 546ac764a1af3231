// The same table through two formats gives the same matrix: VW text in, written in a format that the first byte
// chooses, read back, compared cell by cell.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace {

using namespace lazylogit;

class MemorySink final : public io::ByteSink {
 public:
  void write(std::string_view piece) override { bytes += piece; }
  void finish() override {}
  std::string bytes;
};

[[noreturn]] void fail(const std::string& why, const std::string& bytes) {
  std::fprintf(stderr, "%s\n--- written:\n%s\n", why.c_str(), bytes.c_str());
  std::abort();
}

std::unique_ptr<io::Loaded> read(io::Format format, const std::string& bytes, io::ReadOptions options) {
  options.precision = io::Precision::float64;
  options.labels_required = false;
  std::vector<io::Input> inputs;
  inputs.push_back(io::Input::from_memory("fuzz", bytes));
  return std::make_unique<io::Loaded>(io::find_format(format).load(inputs, options, silent_log(), {}));
}

void compare(io::Table& a, io::Table& b, bool labels, bool names, const std::string& bytes) {
  if (a.num_rows() != b.num_rows()) fail("another number of rows", bytes);
  if (names && a.names() != b.names()) fail("other features", bytes);
  if (a.names().size() != b.names().size()) fail("another number of features", bytes);
  if (a.has_weights() != b.has_weights() || a.has_offsets() != b.has_offsets() || a.has_ids() != b.has_ids())
    fail("a column is lost", bytes);
  for (std::size_t i = 0; i < a.num_rows(); ++i) {
    if (labels && a.label(i) != b.label(i)) fail("another label", bytes);
    if (a.has_weights() && a.weight(i) != b.weight(i)) fail("another weight", bytes);
    if (a.has_offsets() && a.offset(i) != b.offset(i)) fail("another offset", bytes);
    if (a.has_ids() && a.id(i) != b.id(i)) fail("another id", bytes);
    const std::vector<io::Cell> left = a.row(i);
    const std::vector<io::Cell>& right = b.row(i);
    if (left.size() != right.size()) fail("another number of entries", bytes);
    for (std::size_t k = 0; k < left.size(); ++k)
      if (left[k].feature != right[k].feature || left[k].value != right[k].value)
        fail("another entry", bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto writers = io::writer_catalog();
  const io::WriterEntry& writer = writers[(data[0] & 15) % writers.size()];
  io::ReadOptions options;
  if ((data[0] & 16) != 0) options.id = "tag";
  MemorySink sink, label_sink;
  std::unique_ptr<io::Loaded> loaded;
  try {
    loaded = read(io::Format::vw, std::string(reinterpret_cast<const char*>(data) + 1, size - 1), options);
    io::Table table(loaded->data);
    if (table.names().empty()) return 0;  // a table without columns is none
    writer.write(table, {.path = "fuzz", .out = sink, .labels = &label_sink, .log = silent_log()});
  } catch (const Error&) {
    return 0;  // not VW text, or more than the other format can hold
  }
  io::Table first(loaded->data);
  const bool is_vw = writer.format == io::Format::vw, is_npy = writer.format == io::Format::npy;
  io::ReadOptions back;
  if (first.has_ids()) back.id = is_vw ? "tag" : "id";
  if (first.has_weights() && !is_vw) back.weight = "weight";
  if (first.has_offsets() && !is_vw) back.offset = "offset";
  try {
    const auto again = read(writer.format, sink.bytes, back);
    io::Table second(again->data);
    const bool numbered = writer.format == io::Format::libsvm || writer.format == io::Format::npz || is_npy;
    compare(first, second, !is_npy, !numbered, sink.bytes);
  } catch (const Error& error) {
    fail(error.what(), sink.bytes);
  }
  return 0;
}
