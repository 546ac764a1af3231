#include "lazylogit/io/cache/cache_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/utf8.hpp"
#include "lazylogit/io/cache/byte_codec.hpp"

namespace lazylogit::io {
namespace {

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
void copy_items(std::string_view from, Buffer<T>& to) {
  to.resize(from.size() / sizeof(T));
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

template <class T>
bool all_finite_and_not_zero(const Buffer<T>& values) {
  return std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x) && x != T{0}; });
}

}  // namespace

CacheReader::CacheReader(std::unique_ptr<ByteSource> source, std::string file)
    : source_(std::move(source)), file_(std::move(file)) {
  char head[32];
  read(head, sizeof head);
  const std::string_view bytes(head, sizeof head);
  if (bytes.substr(0, 8) != cache_magic) refuse(0, "this is not a cache");
  Decoder from(bytes.substr(8));
  const auto major = from.number<std::uint32_t>(), minor = from.number<std::uint32_t>();
  const auto size = from.number<std::uint64_t>(), checksum = from.number<std::uint64_t>();
  if (major != cache_major)
    refuse(8, fmt::format("the cache has format version {}.{}, this program reads {}.{}", major, minor,
                          cache_major, cache_minor));
  read_into(bytes_, size);
  checksum_ = cache_checksum(bytes.substr(0, 24), {bytes_.data(), bytes_.size()}, 0);
  if (checksum_ != checksum) refuse(24, "the checksum of the header does not fit: the cache is damaged");
  header_ = decode_header({bytes_.data(), bytes_.size()}, file_);
}

void CacheReader::refuse(std::uint64_t byte, std::string message) const {
  throw InputError({.message = std::move(message),
                    .hint = "make the cache again",
                    .file = file_,
                    .byte = byte,
                    .code = "bad-cache"});
}

void CacheReader::read(char* to, std::size_t size) {
  const std::size_t got = read_fully(*source_, to, size);
  at_ += got;
  if (got < size) refuse(at_, "the cache ends too early: it is cut off");
}

// A size from the file is believed piece by piece, as the bytes come.
void CacheReader::read_into(Buffer<char>& bytes, std::uint64_t size) {
  constexpr std::uint64_t piece = cache_block_bytes;
  bytes.clear();
  for (std::uint64_t left = size; left > 0;) {
    const auto now = static_cast<std::size_t>(std::min(left, piece));
    const std::size_t have = bytes.size();
    bytes.resize(have + now);
    read(bytes.data() + have, now);
    left -= now;
  }
}

bool CacheReader::next(data::Rows& rows) {
  block_at_ = at_;
  char head[32];
  read(head, sizeof head);
  std::uint32_t mark = 0;
  std::memcpy(&mark, head, sizeof mark);
  if (mark == end_mark) {
    check_end({head, sizeof head});
    return false;
  }
  PartHead part;
  std::memcpy(&part, head, sizeof part);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, head + sizeof part, sizeof checksum);
  if (part.mark != block_mark) refuse(block_at_, "found neither a block nor the end of the cache");
  read_into(bytes_, part.size);
  checksum_ = cache_checksum(bytes_of(part), {bytes_.data(), bytes_.size()}, checksum_);
  if (checksum_ != checksum) refuse(block_at_, "the checksum of a block does not fit: the cache is damaged");
  decode({bytes_.data(), bytes_.size()}, part, rows);
  num_rows_ += part.rows;
  num_entries_ += part.entries;
  return true;
}

void CacheReader::check_end(std::string_view head) {
  EndHead end;
  std::memcpy(&end, head.data(), sizeof end);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, head.data() + sizeof end, sizeof checksum);
  if (cache_checksum(bytes_of(end), {}, checksum_) != checksum || end.rows != num_rows_ ||
      end.entries != num_entries_)
    refuse(block_at_, "the end of the cache does not fit its blocks: it is damaged");
  char more = 0;
  if (source_->read(&more, 1) > 0) refuse(at_, "there is something after the end of the cache");
}

void CacheReader::decode(std::string_view bytes, const PartHead& part, data::Rows& rows) {
  Decoder from(bytes);
  data::SparseMatrix& x = rows.x;
  x.num_features = header_.num_features;
  const std::string_view counts = from.raw(part.rows, sizeof(std::uint32_t));
  copy_items(from.raw(part.entries, sizeof(FeatureId)), x.ids);
  bool good = true;
  if (header_.values == ValueKind::ones) {
    x.values = data::OnesValues{};
  } else if (header_.values == ValueKind::floats) {
    Buffer<float> values;
    copy_items(from.raw(part.entries, sizeof(float)), values);
    good = all_finite_and_not_zero(values);
    x.values = std::move(values);
  } else {
    Buffer<double> values;
    copy_items(from.raw(part.entries, sizeof(double)), values);
    good = all_finite_and_not_zero(values);
    x.values = std::move(values);
  }
  copy_items(from.raw(part.rows, sizeof(ClassId)), rows.labels);
  rows.weights.clear();
  rows.offsets.clear();
  rows.ids.clear();
  rows.unknown_labels.clear();
  if (header_.has_weights) copy_items(from.raw(part.rows, sizeof(double)), rows.weights);
  if (header_.has_offsets) copy_items(from.raw(part.rows, sizeof(double)), rows.offsets);
  const std::string_view lengths =
      header_.has_ids ? from.raw(part.rows, sizeof(std::uint32_t)) : std::string_view();
  if (!from.ok()) refuse(block_at_, "a block of the cache does not hold what it should");
  for (std::size_t i = 0; i < lengths.size(); i += sizeof(std::uint32_t)) {
    std::uint32_t length = 0;
    std::memcpy(&length, lengths.data() + i, sizeof length);
    const std::string_view id = from.raw(length, 1);
    good = good && from.ok() && utf8_valid_prefix(id) == id.size();
    rows.ids.emplace_back(id);
  }
  x.row_offsets.clear();
  x.row_offsets.push_back(0);
  for (std::size_t i = 0; i < part.rows && good; ++i) {
    std::uint32_t count = 0;
    std::memcpy(&count, counts.data() + i * sizeof count, sizeof count);
    const std::uint64_t begin = x.row_offsets.back(), end = begin + count;
    good = end <= part.entries;
    for (std::uint64_t k = begin; good && k < end; ++k)
      good = x.ids[k] < header_.num_features && (k == begin || x.ids[k - 1] < x.ids[k]);
    x.row_offsets.push_back(end);
  }
  good = good && from.ok() && from.at_end() && x.row_offsets.back() == part.entries && part.rows > 0;
  const auto classes = static_cast<ClassId>(header_.classes.size());
  for (const ClassId label : rows.labels) good = good && label >= unknown_class && label < classes;
  for (const double weight : rows.weights) good = good && std::isfinite(weight) && weight >= 0;
  for (const double offset : rows.offsets) good = good && std::isfinite(offset);
  if (!good) refuse(block_at_, "a block of the cache holds rows that do not make sense");
}

}  // namespace lazylogit::io
