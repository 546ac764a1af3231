// A dense matrix; labels go to a second array.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/writers/npy_text.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint64_t max_dense_columns = std::uint64_t{1} << 20;

template <class T>
void write_rows(Table& table, const std::vector<std::uint64_t>& numbers, std::uint64_t width, ByteSink& out) {
  std::vector<T> dense(width);
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    std::fill(dense.begin(), dense.end(), T{0});
    for (const Cell& cell : table.row(i)) dense[numbers[cell.feature] - 1] = static_cast<T>(cell.value);
    out.write(raw_bytes(dense.data(), dense.size()));
  }
}

}  // namespace

void write_npy(Table& table, const WriteContext& context) {
  if (table.has_weights()) cannot_hold(context, "npy", "example weights", "npz, vw, csv and jsonl can");
  if (table.has_offsets()) cannot_hold(context, "npy", "offsets", "npz, vw, csv and jsonl can");
  if (table.has_ids()) cannot_hold(context, "npy", "ids", "npz, vw, csv and jsonl can");
  if (table.has_labels() && !table.all_labelled())
    cannot_hold(context, "npy", "rows with and without labels", "vw, csv and jsonl can");
  if (table.has_labels() && context.labels == nullptr)
    cannot_hold(context, "npy", "labels beside the matrix on standard output", "name a file, or use npz");
  const Table::Numbering numbering = table.number_features();
  const std::uint64_t width = numbering.numbers.empty() ? 1 : numbering.numbers.back();
  if (width > max_dense_columns)
    cannot_hold(context, "npy",
                fmt::format("{} columns, most of them zero (at most {})", width, max_dense_columns),
                "npz writes only what is not zero");
  if (numbering.renamed)
    context.log.notice("npy has no feature names: columns stand in the byte order of the features' names");
  if (numbering.shifted) context.log.notice("npy counts columns from 1: every index is raised by one");
  const bool single = std::holds_alternative<Buffer<float>>(table.data().x.values);
  context.out.write(npy_header(single ? "<f4" : "<f8", fmt::format("({}, {})", table.num_rows(), width)));
  if (single)
    write_rows<float>(table, numbering.numbers, width, context.out);
  else
    write_rows<double>(table, numbering.numbers, width, context.out);
  if (table.has_labels()) context.labels->write(npy_labels(table));
}

}  // namespace lazylogit::io
