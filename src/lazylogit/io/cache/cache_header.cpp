#include <xxhash.h>

#include <cmath>
#include <memory>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/utf8.hpp"
#include "lazylogit/io/cache/byte_codec.hpp"
#include "lazylogit/io/cache/layout.hpp"

namespace lazylogit::io {
namespace {

void encode_names(const data::Alphabet& names, Encoder& to) {
  to.number(static_cast<std::uint64_t>(names.size()));
  to.text({names.bytes().data(), names.bytes().size()});
  to.raw(names.ends().data(), names.size() * sizeof(std::uint64_t));
}

data::Alphabet decode_names(Decoder& from) {
  const auto count = from.number<std::uint64_t>();
  const std::string_view bytes = from.text(), ends = from.raw(count, sizeof(std::uint64_t));
  data::Alphabet names;
  if (!from.ok()) return names;
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t end = 0;
    std::memcpy(&end, ends.data() + i * sizeof end, sizeof end);
    if (end < before || end > bytes.size() ||
        utf8_valid_prefix(bytes.substr(before, end - before)) != end - before) {
      from.refuse();
      return names;
    }
    names.append(bytes.substr(before, end - before));
    before = end;
  }
  if (before != bytes.size() || !names.build_index()) from.refuse();
  return names;
}

void encode_strings(const std::vector<std::string>& list, Encoder& to) {
  to.number(static_cast<std::uint64_t>(list.size()));
  for (const std::string& text : list) to.text(text);
}

std::string decode_text(Decoder& from) {
  const std::string_view text = from.text();
  if (utf8_valid_prefix(text) != text.size()) from.refuse();
  return std::string(text);
}

std::vector<std::string> decode_strings(Decoder& from) {
  std::vector<std::string> list;
  const auto count = from.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) list.push_back(decode_text(from));
  return list;
}

bool decode_flag(Decoder& from) {
  const auto value = from.number<std::uint8_t>();
  if (value > 1) from.refuse();
  return value == 1;
}

template <class Enum>
Enum decode_choice(Decoder& from, Enum last) {
  const auto value = from.number<std::uint8_t>();
  if (value > static_cast<std::uint8_t>(last)) from.refuse();
  return static_cast<Enum>(value);
}

double decode_finite(Decoder& from) {
  const auto value = from.number<double>();
  if (!std::isfinite(value)) from.refuse();
  return value;
}

void encode_input(const data::InputSpec& input, Encoder& to) {
  to.number(static_cast<std::uint8_t>(input.kind));
  to.number(static_cast<std::int32_t>(input.index_base));
  to.number(static_cast<std::int32_t>(input.hash_bits.value_or(0)));
  for (const std::string* text : {&input.target, &input.id, &input.weight, &input.offset, &input.count})
    to.text(*text);
  to.number(static_cast<std::uint8_t>(input.has_header));
  encode_strings(input.ignored, to);
  to.number(static_cast<std::int32_t>(input.text.ngrams));
  to.number(static_cast<std::uint8_t>(input.text.lowercase));
  to.number(static_cast<std::uint8_t>(input.text.tfidf));
  to.number(static_cast<std::uint8_t>(input.missing));
  to.number(static_cast<std::uint64_t>(input.columns.size()));
  for (const data::ColumnSpec& column : input.columns) {
    to.text(column.name);
    to.number(static_cast<std::uint8_t>(column.type));
    to.number(static_cast<std::uint8_t>(column.missing_indicator));
    to.text(column.indicator);
    to.number(column.impute_number);
    to.text(column.impute_category);
    to.number(static_cast<std::uint8_t>(column.has_dropped_category));
    to.text(column.dropped_category);
  }
}

data::InputSpec decode_input(Decoder& from) {
  data::InputSpec input;
  input.kind = decode_choice(from, data::InputKind::text);
  input.index_base = from.number<std::int32_t>();
  const auto bits = from.number<std::int32_t>();
  if (bits < 0 || bits > 30 || input.index_base < 0 || input.index_base > 1) from.refuse();
  if (bits > 0) input.hash_bits = bits;
  for (std::string* text : {&input.target, &input.id, &input.weight, &input.offset, &input.count})
    *text = decode_text(from);
  input.has_header = decode_flag(from);
  input.ignored = decode_strings(from);
  input.text.ngrams = from.number<std::int32_t>();
  if (input.text.ngrams < 1 || input.text.ngrams > 8) from.refuse();
  input.text.lowercase = decode_flag(from);
  input.text.tfidf = decode_flag(from);
  input.missing = decode_choice(from, data::MissingPolicy::drop_row);
  const auto count = from.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
    data::ColumnSpec column;
    column.name = decode_text(from);
    column.type = decode_choice(from, data::ColumnType::sparse);
    column.missing_indicator = decode_flag(from);
    column.indicator = decode_text(from);
    column.impute_number = decode_finite(from);
    column.impute_category = decode_text(from);
    column.has_dropped_category = decode_flag(from);
    column.dropped_category = decode_text(from);
    input.columns.push_back(std::move(column));
  }
  return input;
}

}  // namespace

std::uint64_t cache_checksum(std::string_view head, std::string_view bytes, std::uint64_t seed) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset_withSeed(state.get(), seed);
  XXH3_64bits_update(state.get(), head.data(), head.size());
  XXH3_64bits_update(state.get(), bytes.data(), bytes.size());
  return XXH3_64bits_digest(state.get());
}

bool find_places(const CacheHeader& header, std::uint64_t header_size, CachePlaces& places) {
  constexpr std::uint64_t most = std::uint64_t{1} << 56;  // bytes of a part: sums of a few do not overflow
  if (header.num_rows >= most / 8 || header.num_entries >= most / 8 || header.id_bytes >= most ||
      header_size >= most)
    return false;
  const std::uint64_t rows = header.num_rows, entries = header.num_entries;
  const auto aligned = [](std::uint64_t at) {
    return (at + cache_alignment - 1) / cache_alignment * cache_alignment;
  };
  places.begin = cache_head_size + header_size;
  std::uint64_t at = aligned(places.begin);
  const auto place = [&](CachePlaces::Stretch& array, std::uint64_t size) {
    array = {size == 0 ? 0 : at, size};
    at = aligned(at + size);
  };
  place(places.row_offsets, (rows + 1) * 8);
  place(places.ids, entries * 4);
  place(places.values, header.values == ValueKind::ones     ? 0
                       : header.values == ValueKind::floats ? entries * 4
                                                            : entries * 8);
  place(places.labels, rows * 4);
  place(places.weights, header.has_weights ? rows * 8 : 0);
  place(places.offsets, header.has_offsets ? rows * 8 : 0);
  place(places.id_ends, header.has_ids ? rows * 8 : 0);
  place(places.id_bytes, header.id_bytes);
  places.end = at;
  return true;
}

std::string encode_header(const data::Dataset& data, const CacheHeader& header) {
  Encoder to;
  to.number(static_cast<std::uint8_t>(header.values));
  to.number(static_cast<std::uint8_t>(header.has_weights));
  to.number(static_cast<std::uint8_t>(header.has_offsets));
  to.number(static_cast<std::uint8_t>(header.has_ids));
  to.number(header.num_features);
  to.number(header.num_rows);
  to.number(header.num_entries);
  to.number(header.id_bytes);
  to.number(header.text_bytes);
  to.text(header.fingerprint);
  encode_names(data.features, to);
  encode_strings(data.classes.labels(), to);
  encode_input(data.input, to);
  to.number(static_cast<std::uint64_t>(data.idf.size()));
  to.raw(data.idf.data(), data.idf.size() * sizeof(double));
  return to.bytes();
}

CacheHeader decode_header(std::string_view bytes, const std::string& file) {
  Decoder from(bytes);
  CacheHeader header;
  header.values = decode_choice(from, ValueKind::doubles);
  header.has_weights = decode_flag(from);
  header.has_offsets = decode_flag(from);
  header.has_ids = decode_flag(from);
  header.num_features = from.number<std::uint64_t>();
  header.num_rows = from.number<std::uint64_t>();
  header.num_entries = from.number<std::uint64_t>();
  header.id_bytes = from.number<std::uint64_t>();
  header.text_bytes = from.number<std::uint64_t>();
  header.fingerprint = decode_text(from);
  header.features = decode_names(from);
  const std::vector<std::string> labels = decode_strings(from);
  header.input = decode_input(from);
  const auto num_idf = from.number<std::uint64_t>();
  const std::string_view idf = from.raw(num_idf, sizeof(double));
  header.idf.resize(from.ok() ? num_idf : 0);
  if (!header.idf.empty()) std::memcpy(header.idf.data(), idf.data(), idf.size());
  for (const double factor : header.idf)
    if (!std::isfinite(factor)) from.refuse();
  std::vector<ClassId> order;
  const bool good = from.ok() && from.at_end() && header.features.size() == header.num_features &&
                    (header.idf.empty() || header.idf.size() == header.num_features) &&
                    header.num_features < 0xFFFFFFFF && (header.has_ids || header.id_bytes == 0);
  if (good) header.classes = data::ClassTable::from_labels(labels, &order);
  if (!good || header.classes.labels() != labels)
    throw InputError({.message = "the header of the cache does not make sense",
                      .hint = "make the cache again",
                      .file = file,
                      .byte = 32,
                      .code = "bad-cache"});
  return header;
}

}  // namespace lazylogit::io
