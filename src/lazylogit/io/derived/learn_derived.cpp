#include "lazylogit/io/derived/learn_derived.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/nearest.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"
#include "lazylogit/io/derived/derived_rows.hpp"
#include "lazylogit/io/derived/quantile_bins.hpp"
#include "lazylogit/io/derived/row_norm.hpp"
#include "lazylogit/io/feature_order.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {
namespace {

// Base features keep their ids, derived ones follow by appearance; what they are made of is kept, to order them.
class AppearanceNumbers final : public FeatureNumbers {
 public:
  explicit AppearanceNumbers(const data::Alphabet& base) : base_(&base) {}
  std::uint32_t of_base(std::uint32_t base, std::string_view) override { return base; }
  std::uint32_t of_derived(std::string_view name, std::span<const std::uint32_t> parts) override {
    const std::size_t before = names.size();
    if (base_->find(name)) fail_same_name(name);
    const FeatureId id = names.intern(name);
    if (names.size() == before) fail_same_name(name);
    parts_of.emplace_back(parts.begin(), parts.end());
    return static_cast<std::uint32_t>(base_->size()) + id;
  }

  data::Alphabet names;  // of derived features
  std::vector<std::vector<std::uint32_t>> parts_of;

 private:
  [[noreturn]] static void fail_same_name(std::string_view name) {
    throw InputError({.message = "two features have the same name " + quote_text(name) +
                                 ", one of them derived; rename a column",
                      .code = "repeated-feature"});
  }
  const data::Alphabet* base_;
};

// Logarithms and bins in their order, then products by degree, then by parts.
std::vector<std::uint32_t> final_order(const AppearanceNumbers& numbers) {
  std::vector<std::uint32_t> order(numbers.parts_of.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto& x = numbers.parts_of[a];
    const auto& y = numbers.parts_of[b];
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  return order;
}

// vw and libsvm: operands that no feature belongs to.
void check_operands_occur(const data::Dataset& data, const data::DerivedSpec& spec) {
  const BaseFeatures base(data.input, spec);
  std::uint64_t found = 0;
  std::vector<std::string> namespaces;
  for (std::size_t id = 0; id < data.features.size(); ++id) {
    const std::string_view name = data.features.name(static_cast<FeatureId>(id));
    found |= base.look_at(name).operands;
    if (data.input.kind != data::InputKind::named || namespaces.size() > 1000) continue;
    const std::string owner(name.substr(0, name.find('^')));
    if (owner.size() < name.size() &&
        std::find(namespaces.begin(), namespaces.end(), owner) == namespaces.end())
      namespaces.push_back(owner);
  }
  for (std::size_t k = 0; k < base.operands().size(); ++k) {
    const std::string& name = base.operands()[k];
    if ((found >> k & 1) != 0 || data.input.kind == data::InputKind::columns || name == every_column)
      continue;
    throw InputError(
        {.message =
             "no " +
             std::string(data.input.kind == data::InputKind::named ? "namespace or feature" : "feature") +
             " is called " + quote_text(name) + " (--interactions)",
         .hint = config::did_you_mean(name, namespaces),
         .code = "unknown-column"});
  }
}

// An option that adds nothing is a mistake more often than not.
void warn_if_nothing(const DerivedOptions& options, const AppearanceNumbers& numbers, Log& log) {
  if (options.interactions.empty() && options.polynomial < 2) return;
  const bool any = std::any_of(numbers.parts_of.begin(), numbers.parts_of.end(),
                               [](const std::vector<std::uint32_t>& parts) { return parts.size() > 1; });
  if (any) return;
  log.warning({.kind = ErrorKind::input,
               .message = "no row has two of the features that are to be multiplied, so no product was made",
               .hint = options.interactions.empty() ? "--polynomial is of numeric columns; see --interactions"
                                                    : "a category with itself makes none",
               .code = "no-products"});
}

void check_memory(std::uint64_t bytes, const Limits& limits) {
  if (limits.max_memory == 0 || bytes <= limits.max_memory) return;
  throw LimitError({.message = "the data with its derived features needs more than " +
                               std::to_string(limits.max_memory) + " bytes of memory, which is the limit",
                    .hint = "see --max-memory",
                    .code = "memory-limit"});
}

data::SparseMatrix expand(const data::Dataset& data, const data::DerivedSpec& spec, FeatureNumbers& numbers,
                          bool store_double, const Limits& limits, const CancelToken& cancel) {
  RowDeriver deriver(data.input, spec, data.features, numbers, limits);
  deriver.take_new_names();
  DerivedRows rows(store_double);
  if (limits.max_memory > 0 && spec.polynomial > 1) {  // before any is made
    double products = 0, names = 0;
    for_each_row(data.x, [&](std::span<const FeatureId> ids, std::span<const double> values, std::size_t) {
      const double own = deriver.num_monomials(ids, values);
      products += own;
      names = std::max(names, own);
    });
    constexpr double name_bytes = 24;  // at least two names and what finds them
    const double bytes = products * (sizeof(FeatureId) + (store_double ? 8 : 4)) + names * name_bytes;
    check_memory(bytes < 1e18 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{1} << 60, limits);
  }
  constexpr std::size_t look_every = 1024;
  for_each_row(data.x, [&](std::span<const FeatureId> ids, std::span<const double> values, std::size_t i) {
    rows.add(deriver.derive(ids, values, i + 1), true, i + 1);
    if (i % look_every != 0) return;
    cancel.throw_if_cancelled();
    check_memory(rows.memory_bytes(), limits);
  });
  return rows.finish(0);
}

// Gives entries the id new_id[old], leaving those out that have none, in ascending order.
void renumber(data::SparseMatrix& x, const std::vector<std::uint32_t>& new_id, bool store_double) {
  DerivedRows rows(store_double);
  std::vector<RowDeriver::Entry> row;
  for_each_row(x, [&](std::span<const FeatureId> ids, std::span<const double> values, std::size_t i) {
    row.clear();
    for (std::size_t k = 0; k < ids.size(); ++k)
      if (new_id[ids[k]] != FeatureNumbers::no_id) row.emplace_back(new_id[ids[k]], values[k]);
    rows.add(row, true, i + 1);
  });
  x = rows.finish(x.num_features);
}

void order_features(data::Dataset& data, const AppearanceNumbers& numbers, std::uint64_t min_count,
                    bool store_double) {
  const std::size_t num_base = data.features.size();
  std::vector<std::uint64_t> rows_with(num_base + numbers.names.size(), 0);
  for (const FeatureId id : data.x.ids) ++rows_with[id];
  std::vector<std::uint32_t> new_id(rows_with.size(), FeatureNumbers::no_id);
  std::iota(new_id.begin(), new_id.begin() + static_cast<std::ptrdiff_t>(num_base), 0U);
  for (const std::uint32_t derived : final_order(numbers)) {
    if (rows_with[num_base + derived] < min_count) continue;
    new_id[num_base + derived] = static_cast<std::uint32_t>(data.features.size());
    data.features.append(numbers.names.name(derived));
  }
  data.x.num_features = data.features.size();
  renumber(data.x, new_id, store_double);
  if (!data.idf.empty()) data.idf.resize(data.features.size(), 1.0);
}

void hash_features(Loaded& loaded, int bits, std::uint64_t min_count, bool store_double) {
  data::Dataset& data = loaded.data;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint32_t> slots(data.features.size());
  absl::flat_hash_map<std::uint32_t, std::uint32_t> users;
  for (std::size_t id = 0; id < slots.size(); ++id) {
    slots[id] =
        static_cast<std::uint32_t>(hash_feature_name(data.features.name(static_cast<FeatureId>(id))) & mask);
    ++users[slots[id]];
  }
  std::uint64_t shared = 0;
  for (const auto& user : users)
    if (user.second > 1) shared += user.second;
  loaded.summary.hashed_features = data.features.size();
  loaded.summary.shared_slots = shared;
  renumber(data.x, slots, store_double);
  data.features = {};
  data.x.num_features = std::size_t{1} << bits;
  number_hashed(data.x, data.features, min_count);
  data.input.hash_bits = bits;
}

}  // namespace

ReadOptions base_options(const ReadOptions& options) {
  ReadOptions base = options;
  base.derived.normalize = data::RowNorm::none;
  if (!options.derived.adds_features()) return base;
  if (options.hash_bits && options.tfidf)
    throw ConfigError(
        "words cannot be weighed by their frequency and hashed when features are derived from them", "tfidf",
        "leave it or --hash-bits out");
  if (options.hash_bits) base.min_count = 1;
  base.hash_bits.reset();
  return base;
}

void learn_derived(Loaded& loaded, const ReadOptions& options, Log& log, const CancelToken& cancel) {
  data::Dataset& data = loaded.data;
  const bool store_double = stores_double(data.x, data.input.kind, options.precision);
  if (options.derived.adds_features()) {
    if (data.input.hash_bits)
      throw ConfigError("the features of the cache are hashed: they have no names to derive others from",
                        "interactions", "convert the data without --hash-bits");
    data::DerivedSpec spec = plan_derived(options.derived, data.input);
    check_operands_occur(data, spec);
    learn_bins(data, options.derived, options.drop_first_category, spec, log);
    data.features.build_index();
    AppearanceNumbers numbers(data.features);
    spec.num_base = options.hash_bits ? 0 : data.features.size();
    data.x = expand(data, spec, numbers, store_double, options.limits, cancel);
    warn_if_nothing(options.derived, numbers, log);
    order_features(data, numbers, options.hash_bits ? 1 : options.min_count, store_double);
    if (options.hash_bits) hash_features(loaded, *options.hash_bits, options.min_count, store_double);
    data.features.build_index();
    data.input.derived = std::move(spec);
  }
  data.input.derived.normalize = options.derived.normalize;
  apply_row_norm(data.x, options.derived.normalize, store_double);
}

}  // namespace lazylogit::io
