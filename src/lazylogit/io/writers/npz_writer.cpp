// scipy.sparse.save_npz's csr form, which scipy.sparse.load_npz reads; y, weight, offset and id are further
// members.
#include <fmt/format.h>

#include <array>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/writers/npy_text.hpp"
#include "lazylogit/io/writers/writer.hpp"
#include "lazylogit/io/writers/zip_writer.hpp"

namespace lazylogit::io {
namespace {

// SciPy's index types: 32 bits where they suffice, else 64.
template <class Index>
void add_indices(ZipWriter& zip, Table& table, const std::vector<std::uint64_t>& numbers,
                 std::string_view type) {
  Buffer<Index> indices, pointers;
  pointers.push_back(0);
  for (std::size_t i = 0; i < table.num_rows(); ++i) {
    for (const Cell& cell : table.row(i)) indices.push_back(static_cast<Index>(numbers[cell.feature] - 1));
    pointers.push_back(static_cast<Index>(indices.size()));
  }
  const auto add = [&](const char* name, const Buffer<Index>& values) {
    const std::string header = npy_header(type, fmt::format("({},)", values.size()));
    const std::array<std::string_view, 2> pieces = {header, raw_bytes(values.data(), values.size())};
    zip.add(name, pieces);
  };
  add("indices.npy", indices);
  add("indptr.npy", pointers);
}

template <class T>
void add_values(ZipWriter& zip, Table& table, std::string_view type) {
  Buffer<T> values;
  for (std::size_t i = 0; i < table.num_rows(); ++i)
    for (const Cell& cell : table.row(i)) values.push_back(static_cast<T>(cell.value));
  const std::string header = npy_header(type, fmt::format("({},)", values.size()));
  const std::array<std::string_view, 2> pieces = {header, raw_bytes(values.data(), values.size())};
  zip.add("data.npy", pieces);
}

void add_whole(ZipWriter& zip, const std::string& name, const std::string& content) {
  const std::array<std::string_view, 1> pieces = {content};
  zip.add(name, pieces);
}

std::string numbers_array(const Buffer<double>& numbers) {
  return npy_header("<f8", fmt::format("({},)", numbers.size())) +
         std::string(raw_bytes(numbers.data(), numbers.size()));
}

}  // namespace

void write_npz(Table& table, const WriteContext& context) {
  if (table.has_labels() && !table.all_labelled())
    cannot_hold(context, "npz", "rows with and without labels", "vw, csv and jsonl can");
  const Table::Numbering numbering = table.number_features();
  if (numbering.renamed)
    context.log.notice("npz has no feature names: columns stand in the byte order of the features' names");
  if (numbering.shifted) context.log.notice("npz counts columns from 1: every index is raised by one");
  const std::uint64_t width = numbering.numbers.empty() ? 1 : numbering.numbers.back();
  ZipWriter zip(context.out);
  constexpr std::uint64_t max32 = 0x7FFFFFFF;
  if (width > max32 || table.data().x.num_nonzeros() > max32)
    add_indices<std::int64_t>(zip, table, numbering.numbers, "<i8");
  else
    add_indices<std::int32_t>(zip, table, numbering.numbers, "<i4");
  add_whole(zip, "format.npy", npy_header("|S3", "()") + "csr");
  const std::array<std::int64_t, 2> shape = {static_cast<std::int64_t>(table.num_rows()),
                                             static_cast<std::int64_t>(width)};
  add_whole(zip, "shape.npy", npy_header("<i8", "(2,)") + std::string(raw_bytes(shape.data(), shape.size())));
  if (std::holds_alternative<Buffer<float>>(table.data().x.values))
    add_values<float>(zip, table, "<f4");
  else
    add_values<double>(zip, table, "<f8");
  if (table.has_labels()) add_whole(zip, "y.npy", npy_labels(table));
  if (table.has_weights()) add_whole(zip, "weight.npy", numbers_array(table.data().weights));
  if (table.has_offsets()) add_whole(zip, "offset.npy", numbers_array(table.data().offsets));
  if (table.has_ids()) {
    const std::vector<std::string_view> ids(table.data().ids.begin(), table.data().ids.end());
    add_whole(zip, "id.npy", npy_texts(ids));
  }
  zip.finish();
}

}  // namespace lazylogit::io
