#include "lazylogit/io/row_block.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lazylogit/data/feature_hash.hpp"
#include "lazylogit/io/growing_names.hpp"

namespace lazylogit::io {
namespace {

constexpr std::uint64_t kept_errors = 32;  // per block: enough for every report
constexpr std::size_t recent_hashes = std::size_t{1} << 14;

}  // namespace

void RowBlock::clear(const ReadOptions& options, Precision precision) {
  store_double = precision == Precision::float64;
  row_ends.clear();
  ids.clear();
  values32.clear();
  values64.clear();
  all_ones = true;
  row_labels.clear();
  labels.clear();
  labels.set_response(options.response);
  targets.clear();
  weights.clear();
  offsets.clear();
  row_ids.clear();
  names = data::Alphabet();
  grams.clear();
  hashes.clear();
  std::fill(recent_.begin(), recent_.end(), 0);
  errors.clear();
  bad_rows = dropped_rows = unknown_features = 0;
  notices.clear();
  warnings.clear();
  sightings.clear();
  row_begin_ = 0;
  max_row_features_ = options.limits.max_row_features;
  max_errors_ = options.max_errors;
  stop_on_error_ = !options.skip_bad_rows;
}

void RowBlock::begin_row() noexcept {
  row_begin_ = ids.size();
  if (growing_ != nullptr) names_before_ = growing_->features.size();
}

template <class T>
RowEnd RowBlock::arrange(Buffer<T>& values) {
  const std::size_t size = ids.size() - row_begin_;
  if (size > max_row_features_) return RowEnd::too_long;
  std::uint32_t* id = ids.data() + row_begin_;
  T* value = values.data() + row_begin_;
  bool ascending = true, zeros = false;
  for (std::size_t k = 0; k < size; ++k) {
    ascending = ascending && (k == 0 || id[k - 1] < id[k]);
    zeros = zeros || value[k] == T{0};
    if (!std::isfinite(value[k])) {
      problem_id_ = id[k];
      return RowEnd::overflow;
    }
  }
  // Who learns from a stream wants no order, only that it depends on nothing but the row.
  if (!ascending && !(growing_ != nullptr && all_distinct(id, size))) {
    order_.resize(size);
    for (std::size_t k = 0; k < size; ++k) order_[k] = (std::uint64_t{id[k]} << 32) | k;
    std::sort(order_.begin(), order_.end());
    moved_.resize(size);
    for (std::size_t k = 0; k < size; ++k) moved_[k] = static_cast<double>(value[order_[k] & 0xFFFFFFFF]);
    bool repeated = false;
    for (std::size_t k = 0; k < size; ++k) {
      id[k] = static_cast<std::uint32_t>(order_[k] >> 32);
      value[k] = static_cast<T>(moved_[k]);
      if (k > 0 && id[k - 1] == id[k] && !repeated) {
        repeated = true;
        problem_id_ = id[k];
      }
    }
    if (repeated) return RowEnd::repeated;
  }
  if (zeros) drop_zeros(values);
  return RowEnd::ok;
}

// False also for a row that is too long to tell quickly.
bool RowBlock::all_distinct(const std::uint32_t* id, std::size_t size) {
  constexpr std::size_t most_places = std::size_t{1} << 15;
  if (size > most_places / 16) return false;
  if (stamps_.empty() || ++stamp_ == 0) {
    stamps_.assign(most_places, 0);
    stamp_ = 1;
  }
  // Few places for a short row: they stay in the nearest cache.
  const std::size_t mask = std::min(most_places, std::bit_ceil(size + 1) * 64) - 1;
  for (std::size_t k = 0; k < size; ++k) {
    std::uint32_t& stamp = stamps_[id[k] & mask];
    // Two ids that share their lower bits need not be the same.
    if (stamp == stamp_ && std::find(id, id + k, id[k]) != id + k) return false;
    stamp = stamp_;
  }
  return true;
}

RowEnd RowBlock::end_plain_row(std::uint32_t label, bool row_is_ones) {
  const std::size_t size = ids.size() - row_begin_;
  if (size > max_row_features_ || !all_distinct(ids.data() + row_begin_, size)) return end_row(label);
  complete_row(label, row_is_ones);
  return RowEnd::ok;
}

template <class T>
void RowBlock::drop_zeros(Buffer<T>& values) {
  std::size_t to = row_begin_;
  for (std::size_t from = row_begin_; from < ids.size(); ++from) {
    if (values[from] == T{0}) continue;
    ids[to] = ids[from];
    values[to++] = values[from];
  }
  ids.resize(to);
  values.resize(to);
}

RowEnd RowBlock::arrange_row() { return store_double ? arrange(values64) : arrange(values32); }

RowEnd RowBlock::end_row(std::uint32_t label) {
  const RowEnd result = arrange_row();
  if (result == RowEnd::ok) complete_row(label);
  return result;
}

template <class T>
RowEnd RowBlock::sum_equal(Buffer<T>& values) {
  std::size_t to = row_begin_;
  for (std::size_t from = row_begin_; from < ids.size();) {
    const std::uint32_t id = ids[from];
    double sum = 0;
    for (; from < ids.size() && ids[from] == id; ++from) sum += static_cast<double>(values[from]);
    ids[to] = id;
    values[to] = static_cast<T>(sum);
    if (!std::isfinite(values[to++])) {
      problem_id_ = id;
      return RowEnd::overflow;
    }
  }
  ids.resize(to);
  values.resize(to);
  drop_zeros(values);
  return RowEnd::ok;
}

RowEnd RowBlock::sum_repeated(std::uint32_t label) {
  const RowEnd result = store_double ? sum_equal(values64) : sum_equal(values32);
  if (result == RowEnd::ok) complete_row(label);
  return result;
}

template <class T>
bool RowBlock::row_is_ones(const Buffer<T>& values) const noexcept {
  return std::all_of(values.begin() + row_begin_, values.end(), [](T value) { return value == T{1}; });
}

void RowBlock::complete_row(std::uint32_t label) {
  complete_row(label, all_ones && (store_double ? row_is_ones(values64) : row_is_ones(values32)));
}

void RowBlock::forget_row() {
  if (growing_ != nullptr) growing_->features.truncate(names_before_);
  ids.resize(row_begin_);
  if (store_double)
    values64.resize(row_begin_);
  else
    values32.resize(row_begin_);
}

bool RowBlock::reject(ErrorDetail detail) {
  forget_row();
  return note_error(std::move(detail));
}

bool RowBlock::note_error(ErrorDetail detail) {
  ++bad_rows;
  if (errors.size() < std::max(kept_errors, std::min<std::uint64_t>(max_errors_, 10000)))
    errors.push_back(std::move(detail));
  return !(stop_on_error_ && bad_rows >= max_errors_);
}

void RowBlock::drop_row() {
  forget_row();
  ++dropped_rows;
}

void RowBlock::note_hash(std::uint64_t hash) {
  if (recent_.empty()) recent_.resize(recent_hashes);
  std::uint64_t& slot = recent_[(hash >> 40) % recent_hashes];
  if (slot == hash) return;
  slot = hash;
  hashes.push_back(hash);
}

LimitError row_too_long(ErrorDetail place, const ReadOptions& options) {
  place.message = "a row has more than " + std::to_string(options.limits.max_row_features) +
                  " features, which is the limit";
  place.hint = "see --max-row-features";
  place.code = "row-too-long";
  return LimitError(std::move(place));
}

std::uint64_t hash_feature_name(std::string_view name) noexcept { return data::feature_hash(name); }

NameResolver NameResolver::learning(const std::optional<int>& hash_bits) {
  NameResolver resolver;
  if (hash_bits) {
    resolver.mode_ = FeatureMode::hashed;
    resolver.mask_ = (std::uint32_t{1} << *hash_bits) - 1;
  }
  return resolver;
}

NameResolver NameResolver::fixed(const FixedNames& names) {
  NameResolver resolver = learning(names.input->hash_bits);
  resolver.learning_ = false;
  resolver.features_ = names.features;
  resolver.growing_ = names.growing;
  if (resolver.mode_ == FeatureMode::named)
    resolver.mode_ = FeatureMode::fixed;
  else
    resolver.slots_ = IndexLookup::of_slots(*names.features, names.num_features);
  return resolver;
}

std::uint32_t NameResolver::grow(std::string_view name) const { return growing_->features.intern(name); }

std::optional<std::uint32_t> NameResolver::resolve(std::string_view name, RowBlock& block) const {
  if (mode_ == FeatureMode::named) return block.names.intern(name);
  if (mode_ == FeatureMode::hashed) {
    const std::uint64_t hash = hash_feature_name(name);
    const std::uint32_t slot = static_cast<std::uint32_t>(hash) & mask_;
    if (learning_) {
      block.note_hash(hash);
      return slot;
    }
    const std::uint32_t column = slots_->find(slot);
    if (column != IndexLookup::unknown) return column;
    ++block.unknown_features;
    return std::nullopt;
  }
  if (growing_ != nullptr) return grow(name);
  std::optional<FeatureId> id = features_->find(name);
  if (!id) ++block.unknown_features;
  return id;
}

}  // namespace lazylogit::io
