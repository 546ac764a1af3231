#include "lazylogit/io/cache/cache_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/utf8.hpp"
#include "lazylogit/io/cache/byte_codec.hpp"
#include "lazylogit/io/whole_input.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t view_bytes = std::size_t{1} << 22, rows_per_check = std::size_t{1} << 16;

// Bytes that are not those of a regular file, in a temporary one where they are many.
MappedBytes kept_bytes(Input& input) {
  const SpoolScope scope(temporary_directory());
  const auto bytes = std::make_shared<Buffer<char>>(read_whole(input));
  return {bytes, bytes->data(), bytes->size()};
}

template <class T>
Buffer<T> copy_of(std::span<const T> items) {
  Buffer<T> copy;
  copy.append(items);
  return copy;
}

template <class T>
bool all_finite_and_not_zero(std::span<const T> values) {
  return std::all_of(values.begin(), values.end(), [](T x) { return std::isfinite(x) && x != T{0}; });
}

}  // namespace

CacheFile::CacheFile(Input& input) : file_(input.name()) {
  bytes_ = input.map(cache_magic);
  if (bytes_.owner == nullptr) bytes_ = kept_bytes(input);
  const std::string_view all(bytes_.data, bytes_.size);
  if (all.size() < cache_head_size) refuse(all.size(), "the cache ends too early: it is cut off");
  if (all.substr(0, 8) != cache_magic) refuse(0, "this is not a cache");
  Decoder from(all.substr(8));
  const auto major = from.number<std::uint32_t>(), minor = from.number<std::uint32_t>();
  const auto size = from.number<std::uint64_t>(), checksum = from.number<std::uint64_t>();
  if (major != cache_major)
    refuse(8, fmt::format("the cache has format version {}.{}, this program reads {}.{}", major, minor,
                          cache_major, cache_minor));
  if (size > all.size() - cache_head_size) refuse(all.size(), "the cache ends too early: it is cut off");
  header_checksum_ = cache_checksum(all.substr(0, 24), all.substr(cache_head_size, size), 0);
  if (header_checksum_ != checksum)
    refuse(24, "the checksum of the header does not fit: the cache is damaged");
  header_ = decode_header(all.substr(cache_head_size, size), file_);
  if (!find_places(header_, size, places_))
    refuse(cache_head_size, "the header of the cache does not make sense");
  if (all.size() < places_.file_size()) refuse(all.size(), "the cache ends too early: it is cut off");
  if (all.size() > places_.file_size())
    refuse(places_.file_size(), "there is something after the end of the cache");
}

void CacheFile::refuse(std::uint64_t byte, std::string message) const {
  throw InputError({.message = std::move(message),
                    .hint = "make the cache again",
                    .file = file_,
                    .byte = byte,
                    .code = "bad-cache"});
}

void CacheFile::check(Log& log, const CancelToken& cancel) const {
  check_checksums(log, cancel);
  check_rows(cancel);
}

void CacheFile::check_checksums(Log& log, const CancelToken& cancel) const {
  const std::string_view all(bytes_.data, bytes_.size);
  const std::string_view table = all.substr(places_.end, 8 * places_.num_pieces());
  const std::string_view end = all.substr(places_.end + table.size(), sizeof(CacheEnd));
  std::vector<std::uint64_t> checksums(places_.num_pieces());
  std::memcpy(checksums.data(), table.data(), table.size());
  const auto seed = [&](std::size_t piece) { return piece == 0 ? header_checksum_ : checksums[piece - 1]; };
  std::uint64_t last = 0;
  std::memcpy(&last, end.data() + end.size(), sizeof last);
  CacheEnd expected;
  expected.pieces = checksums.size();
  if (std::memcmp(&expected, end.data(), sizeof expected) != 0 ||
      cache_checksum(table, end, seed(checksums.size())) != last)
    refuse(places_.end, "the end of the cache does not fit its rows: it is damaged");
  for (std::size_t piece = 0; piece < checksums.size(); ++piece) {
    cancel.throw_if_cancelled();
    const std::uint64_t begin = places_.begin + piece * cache_piece_bytes;
    const std::uint64_t size = std::min<std::uint64_t>(cache_piece_bytes, places_.end - begin);
    if (cache_checksum({}, all.substr(begin, size), seed(piece)) != checksums[piece])
      refuse(begin,
             fmt::format("the checksum of the {} bytes from here does not fit: the cache is damaged", size));
    log.progress({.phase = "reading", .done = begin + size, .total = all.size(), .unit = "bytes"});
  }
}

void CacheFile::check_rows(const CancelToken& cancel) const {
  const auto starts = items<std::uint64_t>(places_.row_offsets), ends = items<std::uint64_t>(places_.id_ends);
  const auto ids = items<FeatureId>(places_.ids);
  const auto classes = static_cast<ClassId>(header_.classes.size());
  std::atomic<bool> all_good = starts.front() == 0 && starts.back() == header_.num_entries &&
                               (!header_.has_ids || header_.num_rows == 0 || ends.back() == header_.id_bytes);
  // Offsets first: with them every entry belongs to a row.
  parallel_blocks(num_blocks_of(header_.num_rows, rows_per_check), [&](std::size_t block) {
    cancel.throw_if_cancelled();
    const std::size_t first = block * rows_per_check;
    const std::size_t last = std::min<std::size_t>(first + rows_per_check, header_.num_rows);
    bool good = all_good;
    for (std::size_t i = first; good && i < last; ++i)
      good = starts[i] <= starts[i + 1] && starts[i + 1] <= header_.num_entries;
    for (std::size_t i = first; good && i < last; ++i)
      for (std::uint64_t k = starts[i]; k < starts[i + 1]; ++k)
        good = good && ids[k] < header_.num_features && (k == starts[i] || ids[k - 1] < ids[k]);
    if (good && header_.values == ValueKind::floats)
      good = all_finite_and_not_zero(
          items<float>(places_.values).subspan(starts[first], starts[last] - starts[first]));
    if (good && header_.values == ValueKind::doubles)
      good = all_finite_and_not_zero(
          items<double>(places_.values).subspan(starts[first], starts[last] - starts[first]));
    for (std::size_t i = first; good && i < last; ++i) {
      const ClassId label = items<ClassId>(places_.labels)[i];
      good = label >= unknown_class && label < classes;
      if (good && header_.has_weights) {
        const double weight = items<double>(places_.weights)[i];
        good = std::isfinite(weight) && weight >= 0;
      }
      if (good && header_.has_offsets) good = std::isfinite(items<double>(places_.offsets)[i]);
      if (good && header_.has_ids)
        good = (i == 0 ? 0 : ends[i - 1]) <= ends[i] && ends[i] <= header_.id_bytes &&
               utf8_valid_prefix(id(i)) == id(i).size();
    }
    if (!good) all_good = false;
  });
  if (!all_good) refuse(places_.begin, "the cache holds rows that do not make sense");
}

std::string_view CacheFile::id(std::size_t row) const {
  const auto ends = items<std::uint64_t>(places_.id_ends);
  const std::uint64_t begin = row == 0 ? 0 : ends[row - 1];
  return {bytes_.data + places_.id_bytes.begin + begin, ends[row] - begin};
}

std::size_t CacheFile::block_end(std::size_t first) const {
  const auto starts = items<std::uint64_t>(places_.row_offsets);
  std::size_t last = first + 1;
  while (last < header_.num_rows &&
         (starts[last + 1] - starts[first]) * 12 + (last + 1 - first) * 8 <= view_bytes)
    ++last;
  return last;
}

void CacheFile::view(std::size_t first, std::size_t last, data::Rows& rows) const {
  const auto starts = items<std::uint64_t>(places_.row_offsets);
  const std::uint64_t from = starts[first], entries = starts[last] - from;
  rows = {};
  data::SparseMatrix& x = rows.x;
  x.num_features = header_.num_features;
  x.row_offsets.resize(last - first + 1);
  for (std::size_t i = first; i <= last; ++i) x.row_offsets[i - first] = starts[i] - from;
  x.ids = Buffer<FeatureId>::borrow(items<FeatureId>(places_.ids).data() + from, entries);
  if (header_.values == ValueKind::floats)
    x.values = Buffer<float>::borrow(items<float>(places_.values).data() + from, entries);
  if (header_.values == ValueKind::doubles)
    x.values = Buffer<double>::borrow(items<double>(places_.values).data() + from, entries);
  rows.labels = copy_of(items<ClassId>(places_.labels).subspan(first, last - first));
  if (header_.has_weights)
    rows.weights = copy_of(items<double>(places_.weights).subspan(first, last - first));
  if (header_.has_offsets)
    rows.offsets = copy_of(items<double>(places_.offsets).subspan(first, last - first));
  if (header_.has_ids)
    for (std::size_t i = first; i < last; ++i) rows.ids.emplace_back(id(i));
}

data::Rows CacheFile::take() {
  const auto kept = [&]<class T>(std::span<const T> all) {
    return Buffer<T>::adopt(all.data(), all.size(), bytes_.owner);
  };
  data::Rows rows;
  rows.x.num_features = header_.num_features;
  rows.x.row_offsets = kept(items<std::uint64_t>(places_.row_offsets));
  rows.x.ids = kept(items<FeatureId>(places_.ids));
  if (header_.values == ValueKind::floats) rows.x.values = kept(items<float>(places_.values));
  if (header_.values == ValueKind::doubles) rows.x.values = kept(items<double>(places_.values));
  rows.labels = kept(items<ClassId>(places_.labels));
  if (header_.has_weights) rows.weights = kept(items<double>(places_.weights));
  if (header_.has_offsets) rows.offsets = kept(items<double>(places_.offsets));
  if (header_.has_ids)
    for (std::size_t i = 0; i < header_.num_rows; ++i) rows.ids.emplace_back(id(i));
  return rows;
}

}  // namespace lazylogit::io
