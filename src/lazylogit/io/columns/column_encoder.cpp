#include "lazylogit/io/columns/column_encoder.hpp"

#include <algorithm>
#include <cstring>

#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/text/tfidf.hpp"

namespace lazylogit::io {

using data::ColumnSpec;
using data::ColumnType;

static_assert(IndexLookup::unknown == no_feature);

ColumnEncoder::ColumnEncoder(const FixedNames& names) : names_(names), columns_(names.input->columns.size()) {
  if (names.input->hash_bits) slots_ = IndexLookup::of_slots(*names.features, names.num_features);
  const std::vector<FeatureRange> ranges = find_feature_ranges(*names.input, *names.features);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const ColumnSpec& spec = column(c);
    const data::DerivedSpec& derived = names.input->derived;
    if (std::count(derived.log1ps.begin(), derived.log1ps.end(), spec.name) > 0) columns_[c].above = -1;
    if (std::count(derived.logs.begin(), derived.logs.end(), spec.name) > 0) columns_[c].above = 0;
    columns_[c].range = names.growing != nullptr ? FeatureRange{0, no_feature} : ranges[c];
    if (spec.type == ColumnType::numeric) columns_[c].feature = find(c, spec.name);
    if (spec.type == ColumnType::categorical) columns_[c].slot = num_categorical_++;
    if (names.growing != nullptr && !names.input->hash_bits) continue;  // the others when they occur
    if (spec.missing_indicator) columns_[c].indicator = find(c, indicator_name(spec));
    if (spec.type == ColumnType::categorical &&
        !(spec.has_dropped_category && spec.dropped_category == spec.impute_category))
      columns_[c].impute_feature = find(c, category_name(spec.name, spec.impute_category));
  }
}

std::uint32_t ColumnEncoder::find(std::size_t c, std::string_view name) const {
  if (const std::optional<int>& bits = names_.input->hash_bits)
    return slots_->find(
        static_cast<std::uint32_t>(hash_feature_name(name) & ((std::uint64_t{1} << *bits) - 1)));
  if (names_.growing != nullptr) return names_.growing->features.intern(name);
  const std::optional<FeatureId> id = names_.features->find(name);
  const FeatureRange& range = columns_[c].range;
  // A name may fit a feature of another column ("a=b" + "=c"): only the column's own features count.
  return id && *id >= range.first && *id < range.last ? *id : no_feature;
}

void ColumnEncoder::number(std::size_t c, double value, RowBlock& out) const {
  if (value == 0) return;
  if (columns_[c].feature != no_feature)
    out.add_value(columns_[c].feature, value);
  else
    ++out.unknown_features;
}

namespace {

constexpr std::size_t recent_values = 1024;
constexpr std::uint32_t most_recent = 1024;  // columns: each takes 16 KiB

// All bytes of a value of one to eight.
std::uint64_t short_bits(std::string_view value) noexcept {
  const char* const first = value.data();
  const std::size_t size = value.size();
  if (size >= 4) {
    std::uint32_t head = 0, tail = 0;
    std::memcpy(&head, first, 4);
    std::memcpy(&tail, first + size - 4, 4);
    return head | std::uint64_t{tail} << 32;
  }
  return static_cast<unsigned char>(first[0]) |
         static_cast<unsigned>(static_cast<unsigned char>(first[size / 2])) << 8 |
         static_cast<unsigned>(static_cast<unsigned char>(first[size - 1])) << 16;
}

std::size_t place_of(std::uint64_t bits) noexcept {
  return static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15ULL) >> 54);
}
static_assert(recent_values == std::size_t{1} << (64 - 54));

}  // namespace

std::uint32_t ColumnEncoder::find_category(std::size_t c, std::string_view value, Scratch& scratch) const {
  const ColumnSpec& spec = column(c);
  if (num_categorical_ > most_recent)
    return find(c, scratch.name.assign(spec.name).append("=").append(value));
  if (scratch.categories.empty()) scratch.categories.resize(num_categorical_);
  Scratch::Category& own = scratch.categories[columns_[c].slot];
  if (own.prefix == 0) {
    own.name = spec.name + "=";
    own.prefix = own.name.size();
    // The names of a stream may be taken back with the row that brought them.
    if (names_.growing == nullptr || names_.input->hash_bits) own.recent.resize(recent_values);
  }
  Scratch::ShortValue* const known =
      own.recent.empty() || value.size() > sizeof(std::uint64_t) || value.empty()
          ? nullptr
          : &own.recent[place_of(short_bits(value))];
  if (known != nullptr && known->size == value.size() && known->bits == short_bits(value))
    return known->feature;
  own.name.resize(own.prefix);
  const std::uint32_t feature = find(c, own.name.append(value));
  if (known != nullptr) *known = {short_bits(value), static_cast<std::uint32_t>(value.size()), feature};
  return feature;
}

void ColumnEncoder::category(std::size_t c, std::string_view value, Scratch& scratch, RowBlock& out) const {
  const ColumnSpec& spec = column(c);
  if (spec.has_dropped_category && value == spec.dropped_category) return;
  const std::uint32_t feature = find_category(c, value, scratch);
  if (feature != no_feature)
    out.add_value(feature, 1.0);
  else
    ++out.unknown_features;
}

void ColumnEncoder::document(std::size_t c, std::string_view text, Scratch& scratch, RowBlock& out) const {
  const ColumnSpec& spec = column(c);
  scratch.tokenizer.split(text);
  scratch.name.assign(spec.name).append(":");
  const std::size_t prefix = scratch.name.size();
  scratch.ids.clear();
  scratch.tokenizer.for_each_ngram([&](std::string_view gram) {
    scratch.name.resize(prefix);
    scratch.name.append(gram);
    const std::uint32_t feature = find(c, scratch.name);
    if (feature != no_feature)
      scratch.ids.push_back(feature);
    else
      ++out.unknown_features;
  });
  std::sort(scratch.ids.begin(), scratch.ids.end());
  scratch.counts.clear();
  std::size_t distinct = 0;
  for (std::size_t k = 0; k < scratch.ids.size(); ++k) {
    if (distinct > 0 && scratch.ids[distinct - 1] == scratch.ids[k]) {
      scratch.counts[distinct - 1] += 1.0;
    } else {
      scratch.ids[distinct++] = scratch.ids[k];
      scratch.counts.push_back(1.0);
    }
  }
  scratch.ids.resize(distinct);
  if (names_.input->text.tfidf) apply_tfidf<double>(scratch.ids, scratch.counts, *names_.idf);
  for (std::size_t k = 0; k < distinct; ++k) out.add_value(scratch.ids[k], scratch.counts[k]);
}

void ColumnEncoder::nested(std::size_t c, std::string_view key, double value, Scratch& scratch,
                           RowBlock& out) const {
  if (value == 0) return;
  scratch.name = nested_name(column(c).name, key);
  const std::uint32_t feature = find(c, scratch.name);
  if (feature != no_feature)
    out.add_value(feature, value);
  else
    ++out.unknown_features;
}

ColumnEncoder::Column ColumnEncoder::growing_column(std::size_t c) const {
  const ColumnSpec& spec = column(c);
  Column grown = columns_[c];
  if (spec.type == ColumnType::categorical &&
      !(spec.has_dropped_category && spec.dropped_category == spec.impute_category))
    grown.impute_feature = find(c, category_name(spec.name, spec.impute_category));
  if (spec.missing_indicator) grown.indicator = find(c, indicator_name(spec));
  return grown;
}

void ColumnEncoder::missing(std::size_t c, Scratch& scratch, RowBlock& out) const {
  const ColumnSpec& spec = this->column(c);
  Column column = columns_[c];
  if (names_.growing != nullptr && !names_.input->hash_bits) column = growing_column(c);
  scratch.missing.push_back(static_cast<std::uint32_t>(c));
  if (spec.type == ColumnType::numeric && column.feature != no_feature && spec.impute_number != 0)
    out.add_value(column.feature, spec.impute_number);
  if (column.impute_feature != no_feature) out.add_value(column.impute_feature, 1.0);
  if (column.indicator != no_feature) out.add_value(column.indicator, 1.0);
}

void ColumnEncoder::count_missing(const Scratch& scratch, RowBlock& out) const {
  if (scratch.missing.empty()) return;
  out.sightings.missing.resize(columns_.size(), 0);
  for (const std::uint32_t c : scratch.missing) ++out.sightings.missing[c];
}

}  // namespace lazylogit::io
