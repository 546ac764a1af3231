#include "lazylogit/io/cache/cache_writer.hpp"

#include <algorithm>

#include "lazylogit/io/cache/byte_codec.hpp"
#include "lazylogit/io/cache/layout.hpp"
#include "lazylogit/io/writers/writer.hpp"

namespace lazylogit::io {
namespace {

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <class T>
std::string_view items_of(const Buffer<T>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
}

using Out = std::function<void(std::string_view)>;

// Passes bytes on and has a checksum ready for every piece.
class PieceWriter {
 public:
  PieceWriter(const Out& out, std::uint64_t seed) : out_(&out), seed_(seed) {}
  void write(std::string_view bytes) {
    written_ += bytes.size();
    while (!bytes.empty()) {
      if (piece_.empty() && bytes.size() >= cache_piece_bytes) {  // as it lies there
        close(bytes.substr(0, cache_piece_bytes));
        bytes.remove_prefix(cache_piece_bytes);
        continue;
      }
      const std::size_t now = std::min(bytes.size(), cache_piece_bytes - piece_.size());
      piece_ += bytes.substr(0, now);
      bytes.remove_prefix(now);
      if (piece_.size() == cache_piece_bytes) flush();
    }
  }
  // Zeros up to the next place where an array may begin.
  void align(std::uint64_t begin) {
    static constexpr char zeros[cache_alignment] = {};
    write({zeros, (cache_alignment - (begin + written_) % cache_alignment) % cache_alignment});
  }
  const std::vector<std::uint64_t>& finish() {
    if (!piece_.empty()) flush();
    return checksums_;
  }
  std::uint64_t seed() const noexcept { return seed_; }

 private:
  void flush() {
    close(piece_);
    piece_.clear();
  }
  void close(std::string_view piece) {
    seed_ = cache_checksum({}, piece, seed_);
    checksums_.push_back(seed_);
    (*out_)(piece);
  }
  const Out* out_;
  std::uint64_t seed_, written_ = 0;
  std::string piece_;
  std::vector<std::uint64_t> checksums_;
};

void write_ids(const std::vector<std::string>& ids, std::uint64_t begin, PieceWriter& out) {
  std::uint64_t end = 0;
  for (const std::string& id : ids) {
    end += id.size();
    out.write(bytes_of(end));
  }
  out.align(begin);
  for (const std::string& id : ids) out.write(id);
}

CacheHeader facts_of(const data::Dataset& data) {
  CacheHeader facts;
  facts.values = static_cast<ValueKind>(data.x.values.index());  // in the same order
  facts.has_weights = !data.weights.empty();
  facts.has_offsets = !data.offsets.empty();
  facts.has_ids = !data.ids.empty();
  facts.num_features = data.x.num_features;
  facts.num_rows = data.num_rows();
  facts.num_entries = data.x.num_nonzeros();
  for (const std::string& id : data.ids) facts.id_bytes += id.size();
  return facts;
}

}  // namespace

void write_cache(const data::Dataset& data, std::uint64_t text_bytes, std::string_view fingerprint,
                 const Out& out) {
  CacheHeader facts = facts_of(data);
  facts.text_bytes = text_bytes;
  facts.fingerprint = fingerprint;
  const std::string header = encode_header(data, facts);
  Encoder head;
  head.raw(cache_magic.data(), cache_magic.size());
  head.number(cache_major);
  head.number(cache_minor);
  head.number(static_cast<std::uint64_t>(header.size()));
  const std::uint64_t checksum = cache_checksum(head.bytes(), header, 0);
  out(head.bytes());
  out(bytes_of(checksum));
  out(header);

  PieceWriter arrays(out, checksum);
  const std::uint64_t begin = cache_head_size + header.size();
  const auto write = [&](std::string_view bytes) {
    arrays.align(begin);
    arrays.write(bytes);
  };
  write(items_of(data.x.row_offsets));
  write(items_of(data.x.ids));
  if (const auto* floats = std::get_if<Buffer<float>>(&data.x.values)) write(items_of(*floats));
  if (const auto* doubles = std::get_if<Buffer<double>>(&data.x.values)) write(items_of(*doubles));
  write(items_of(data.labels));
  write(items_of(data.weights));
  write(items_of(data.offsets));
  arrays.align(begin);
  write_ids(data.ids, begin, arrays);
  arrays.align(begin);

  const std::vector<std::uint64_t>& checksums = arrays.finish();
  const std::string_view table(reinterpret_cast<const char*>(checksums.data()),
                               checksums.size() * sizeof(std::uint64_t));
  CacheEnd end;
  end.pieces = checksums.size();
  out(table);
  out(bytes_of(end));
  out(bytes_of(cache_checksum(table, bytes_of(end), arrays.seed())));
}

void write_cache_format(Table& table, const WriteContext& context) {
  write_cache(table.data(), 0, {}, [&](std::string_view bytes) { context.out.write(bytes); });
}

}  // namespace lazylogit::io
