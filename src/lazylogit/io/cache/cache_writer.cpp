#include "lazylogit/io/cache/cache_writer.hpp"

#include "lazylogit/io/cache/byte_codec.hpp"
#include "lazylogit/io/cache/layout.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string encode_rows(const data::Dataset& data, std::size_t first, std::size_t last) {
  const data::SparseMatrix& x = data.x;
  const std::uint64_t from = x.row_offsets[first], entries = x.row_offsets[last] - from;
  Encoder to;
  for (std::size_t i = first; i < last; ++i)
    to.number(static_cast<std::uint32_t>(x.row_offsets[i + 1] - x.row_offsets[i]));
  to.raw(x.ids.data() + from, entries * sizeof(FeatureId));
  if (const auto* floats = std::get_if<Buffer<float>>(&x.values))
    to.raw(floats->data() + from, entries * sizeof(float));
  if (const auto* doubles = std::get_if<Buffer<double>>(&x.values))
    to.raw(doubles->data() + from, entries * sizeof(double));
  to.raw(data.labels.data() + first, (last - first) * sizeof(ClassId));
  if (!data.weights.empty()) to.raw(data.weights.data() + first, (last - first) * sizeof(double));
  if (!data.offsets.empty()) to.raw(data.offsets.data() + first, (last - first) * sizeof(double));
  if (!data.ids.empty()) {
    for (std::size_t i = first; i < last; ++i) to.number(static_cast<std::uint32_t>(data.ids[i].size()));
    for (std::size_t i = first; i < last; ++i) to.raw(data.ids[i].data(), data.ids[i].size());
  }
  return to.bytes();
}

}  // namespace

void write_cache(const data::Dataset& data, std::uint64_t text_bytes, std::string_view fingerprint,
                 const std::function<void(std::string_view)>& out) {
  const std::string header = encode_header(data, text_bytes, fingerprint);
  Encoder head;
  head.raw(cache_magic.data(), cache_magic.size());
  head.number(cache_major);
  head.number(cache_minor);
  head.number(static_cast<std::uint64_t>(header.size()));
  std::uint64_t checksum = cache_checksum(head.bytes(), header, 0);
  out(head.bytes());
  out(bytes_of(checksum));
  out(header);
  const std::size_t num_rows = data.num_rows();
  for (std::size_t first = 0; first < num_rows;) {
    std::size_t last = first + 1;  // at least one row, and then as many as a block holds
    const auto size_to = [&](std::size_t end) {
      return (data.x.row_offsets[end] - data.x.row_offsets[first]) * 12 + (end - first) * 8;
    };
    while (last < num_rows && size_to(last + 1) <= cache_block_bytes) ++last;
    const std::string rows = encode_rows(data, first, last);
    PartHead part;
    part.mark = block_mark;
    part.rows = static_cast<std::uint32_t>(last - first);
    part.entries = data.x.row_offsets[last] - data.x.row_offsets[first];
    part.size = rows.size();
    checksum = cache_checksum(bytes_of(part), rows, checksum);
    out(bytes_of(part));
    out(bytes_of(checksum));
    out(rows);
    first = last;
  }
  EndHead end;
  end.rows = num_rows;
  end.entries = data.x.num_nonzeros();
  checksum = cache_checksum(bytes_of(end), {}, checksum);
  out(bytes_of(end));
  out(bytes_of(checksum));
}

void write_cache_format(Table& table, const WriteContext& context) {
  write_cache(table.data(), 0, {}, [&](std::string_view bytes) { context.out.write(bytes); });
}

}  // namespace lazylogit::io
