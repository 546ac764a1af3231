#include "lazylogit/io/columns/feature_layout.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/io/index_lookup.hpp"
#include "lazylogit/io/row_block.hpp"
#include "lazylogit/io/text/tfidf.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

[[noreturn]] void fail_repeated_feature(std::string_view name) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.message = "two columns give a feature the same name " + quote_text(name) + "; rename one of them";
  detail.code = "repeated-feature";
  throw InputError(std::move(detail));
}

// As find_feature_ranges() will find them, without another list: columns may be many.
void check_features_are_found(const FeatureLayout& layout) {
  const std::vector<data::ColumnSpec>& columns = layout.input.columns;
  std::size_t wrong = columns.size();
  std::uint32_t at = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    at = end_of_features(columns[c], layout.names, at);
    if (at != layout.ends[c] && wrong == columns.size()) wrong = c;
  }
  if (wrong == columns.size()) return;
  // Where some belong to no column, they are looked for among those of all.
  if (at < layout.names.size()) wrong = layout.ends[0] == layout.names.size() ? 1 : 0;
  if (wrong < columns.size()) fail_repeated_feature(columns[wrong].name);
}

class LayoutMaker {
 public:
  LayoutMaker(const LearnedTable& table, const TablePlan& plan, const ReadOptions& options, Log& log)
      : table_(&table), plan_(&plan), options_(&options), log_(&log) {}

  FeatureLayout make() {
    layout_.columns.resize(plan_->columns.size());
    layout_.input.columns.reserve(plan_->columns.size());
    layout_.ends.reserve(plan_->columns.size());
    layout_.value_features = Buffer<std::uint32_t>(table_->values.size(), no_feature);
    layout_.gram_features.resize(table_->grams.size());
    for (std::uint32_t c = 0; c < plan_->columns.size(); ++c)
      if (plan_->columns[c].role == ColumnRole::feature) add_column(c);
    finish_names();
    if (plan_->text.tfidf) make_idf();
    return std::move(layout_);
  }

 private:
  bool is_kept(std::uint64_t rows) const { return rows >= options_->min_count; }

  // The id of a new feature.
  std::uint32_t add_feature(const std::string& name) {
    if (name.size() > options_->limits.max_name_bytes)
      throw IoError({},
                    "the feature name " + quote_text(name) + " is longer than the limit of " +
                        std::to_string(options_->limits.max_name_bytes) + " bytes",
                    "--max-name-bytes raises it");
    if (options_->hash_bits) {
      const std::uint64_t hash = hash_feature_name(name);
      hashes_.push_back(hash);
      return static_cast<std::uint32_t>(hash & ((std::uint64_t{1} << *options_->hash_bits) - 1));
    }
    layout_.names.append(name);
    return static_cast<std::uint32_t>(layout_.names.size() - 1);
  }

  void add_column(std::uint32_t c) {
    const ColumnPlan& plan = plan_->columns[c];
    const bool empty = plan.type == ColumnType::numeric       ? table_->facts[c].has_number == 0
                       : plan.type == ColumnType::categorical ? table_->values.count(c) == 0
                       : plan.type == ColumnType::text        ? table_->facts[c].missing == table_->num_rows
                                                              : false;
    if (empty) {
      layout_.input.ignored.emplace_back(plan_->name(c));
      return;
    }
    data::ColumnSpec spec;
    spec.name = plan_->name(c);
    spec.type = plan.type;
    if (plan.type == ColumnType::numeric) add_numeric(c, spec);
    if (plan.type == ColumnType::categorical) add_categories(c, spec);
    if (plan.type == ColumnType::text || plan.type == ColumnType::sparse) add_names(c);
    add_indicator(c, spec);
    layout_.input.columns.push_back(std::move(spec));
    layout_.ends.push_back(static_cast<std::uint32_t>(layout_.names.size()));
  }

  void add_numeric(std::uint32_t c, data::ColumnSpec& spec) {
    ColumnFeatures& features = layout_.columns[c];
    const std::uint64_t missing = table_->facts[c].missing;
    const double weight = table_->totals.weight(c, table_->num_rows - missing);
    spec.impute_number = weight > 0 ? table_->totals.sum(c) / weight : 0;
    if (!std::isfinite(spec.impute_number)) {
      if (missing > 0) fail_mean(spec.name);
      spec.impute_number = 0;
    }
    features.impute = spec.impute_number;
    if (options_->min_count > 1 && !is_kept(table_->totals.nonzero(c) + (features.impute != 0 ? missing : 0)))
      return;
    features.feature = add_feature(spec.name);
  }

  [[noreturn]] static void fail_mean(const std::string& name) {
    ErrorDetail detail;
    detail.kind = ErrorKind::input;
    detail.message =
        "column " + quote_text(name) + ": the sum of its values overflows, so missing ones have no mean";
    detail.hint = "--missing drop-row leaves such rows out";
    detail.code = "overflow";
    throw InputError(std::move(detail));
  }

  void add_categories(std::uint32_t c, data::ColumnSpec& spec) {
    const ColumnValues& values = table_->values;
    const std::vector<std::uint32_t> order = byte_order(values, c);
    std::uint32_t most = order.front();
    for (const std::uint32_t value : order)
      if (table_->weights.empty() ? table_->counts[value] > table_->counts[most]
                                  : table_->weights[value] > table_->weights[most])
        most = value;
    spec.impute_category = values.name(most);
    for (const std::uint32_t value : order) {
      const std::string_view text = values.name(value);
      if (options_->drop_first_category && value == order.front()) {
        spec.has_dropped_category = true;
        spec.dropped_category = text;
        continue;
      }
      const std::uint64_t rows = table_->counts[value] + (value == most ? table_->facts[c].missing : 0);
      if (!is_kept(rows)) continue;
      layout_.value_features[value] = add_feature(category_name(spec.name, text));
    }
    layout_.columns[c].impute_feature = layout_.value_features[most];
  }

  void add_names(std::uint32_t c) {
    const ColumnPlan& plan = plan_->columns[c];
    const bool is_text = plan.type == ColumnType::text;
    const auto add = [&](std::string_view name, std::uint64_t rows, std::uint32_t& feature) {
      if (is_kept(std::max<std::uint64_t>(rows, 1)))
        feature = add_feature(is_text ? ngram_name(plan_->name(c), name) : nested_name(plan_->name(c), name));
    };
    const ColumnValues& values = table_->values;
    for (std::uint32_t i = values.first(c); i != ColumnValues::none; i = values.next(i))
      add(values.name(i), table_->counts[i], layout_.value_features[i]);
    if (!is_text || table_->grams.empty()) return;
    const LearnedGrams& grams = table_->grams[plan.slot];
    GramFeatures& features = layout_.gram_features[plan.slot];
    features.first = static_cast<std::uint32_t>(layout_.names.size());
    const bool some_differ = options_->hash_bits || options_->min_count > 1;
    if (some_differ) features.others = Buffer<std::uint32_t>(grams.names.size(), no_feature);
    for (std::uint32_t i = 0; i < grams.names.size(); ++i) {
      std::uint32_t plain = no_feature;
      add(grams.names.name(i), grams.counts.empty() ? 1 : grams.counts[i],
          some_differ ? features.others[i] : plain);
    }
  }

  void add_indicator(std::uint32_t c, data::ColumnSpec& spec) {
    const std::uint64_t missing = table_->facts[c].missing;
    if (missing == 0) return;
    ColumnFeatures& features = layout_.columns[c];
    spec.missing_indicator = true;
    // A category may be called like the indicator: "(missing)" then, with as many brackets as it takes.
    if (spec.type == ColumnType::categorical)
      while (table_->values.has(c, spec.indicator)) spec.indicator = "(" + spec.indicator + ")";
    if (is_kept(missing)) features.indicator = add_feature(indicator_name(spec));
    std::string how = spec.type == ColumnType::numeric
                          ? "the mean " + shortest(spec.impute_number) + " stands for them"
                      : spec.type == ColumnType::categorical
                          ? quote_text(spec.impute_category) + ", the most frequent value, stands for them"
                          : "they have no words";
    log_->notice("column " + quote_text(spec.name) + ": " + counted(missing, "missing value") + "; " + how +
                 ", and the feature " + quote_text(indicator_name(spec)) + " marks them");
  }

  static std::string shortest(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
  }

  void finish_names() {
    if (!options_->hash_bits) {
      layout_.num_features = layout_.names.size();
      return;
    }
    std::vector<std::uint64_t> slots;
    std::sort(hashes_.begin(), hashes_.end());
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
    const std::uint64_t mask = (std::uint64_t{1} << *options_->hash_bits) - 1;
    for (const std::uint64_t hash : hashes_) slots.push_back(hash & mask);
    std::sort(slots.begin(), slots.end());
    std::uint64_t shared = 0;
    for (std::size_t i = 0; i < slots.size(); ++i)
      if ((i > 0 && slots[i - 1] == slots[i]) || (i + 1 < slots.size() && slots[i + 1] == slots[i])) ++shared;
    layout_.hashed_features = slots.size();
    layout_.shared_slots = shared;
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    number_used_slots(slots);
  }

  // Slots become columns: those in use, in ascending order.
  void number_used_slots(const std::vector<std::uint64_t>& slots) {
    const auto renumber = [&](std::uint32_t& id) {
      if (id != no_feature)
        id = static_cast<std::uint32_t>(std::lower_bound(slots.begin(), slots.end(), id) - slots.begin());
    };
    for (ColumnFeatures& features : layout_.columns) {
      renumber(features.feature);
      renumber(features.indicator);
      renumber(features.impute_feature);
    }
    for (std::uint32_t& id : layout_.value_features) renumber(id);
    for (GramFeatures& features : layout_.gram_features)
      for (std::uint32_t& id : features.others) renumber(id);
    for (const std::uint64_t slot : slots) layout_.names.append(slot_name(slot));
    layout_.num_features = slots.size();
  }

  void make_idf() {
    // Rows per feature first, which doubles count exactly; features may be very many.
    layout_.idf.assign(layout_.num_features, 0.0);
    const auto add = [&](std::uint32_t feature, std::uint64_t rows) {
      if (feature != no_feature) layout_.idf[feature] += static_cast<double>(rows);
    };
    for (std::size_t slot = 0; slot < table_->grams.size(); ++slot)
      for (std::uint32_t i = 0; i < table_->grams[slot].counts.size(); ++i)
        add(layout_.gram_features[slot].of(i), table_->grams[slot].counts[i]);
    for (std::uint32_t i = 0; i < table_->values.size(); ++i)
      if (plan_->columns[table_->values.column(i)].type == ColumnType::text)
        add(layout_.value_features[i], table_->counts[i]);
    // Features that share a slot may share rows as well, which a sum over names cannot see: never above n.
    const auto most = static_cast<double>(table_->num_rows);
    for (double& idf : layout_.idf)
      idf = idf == 0 ? 1.0
                     : inverse_document_frequency(table_->num_rows,
                                                  static_cast<std::uint64_t>(std::min(idf, most)));
  }

  const LearnedTable* table_;
  const TablePlan* plan_;
  const ReadOptions* options_;
  Log* log_;
  FeatureLayout layout_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace

std::vector<std::uint32_t> byte_order(const ColumnValues& values, std::uint32_t column) {
  std::vector<std::uint32_t> order;
  order.reserve(values.count(column));
  for (std::uint32_t i = values.first(column); i != ColumnValues::none; i = values.next(i))
    order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values.name(a) < values.name(b); });
  return order;
}

void FeatureLayout::index_names() {
  if (hashed_features) return;
  if (!names.build_index())
    for (FeatureId id = 0; id < names.size(); ++id)
      if (names.find(names.name(id)) != id) fail_repeated_feature(names.name(id));
  check_features_are_found(*this);
  ends = {};
}

FeatureLayout make_feature_layout(const LearnedTable& table, const TablePlan& plan,
                                  const ReadOptions& options, Log& log) {
  FeatureLayout layout = LayoutMaker(table, plan, options, log).make();
  const auto name_of = [&](std::uint32_t c) {
    return std::string(c == no_column ? std::string_view() : plan.name(c));
  };
  layout.input.kind = data::InputKind::columns;
  layout.input.target = name_of(plan.target);
  layout.input.id = name_of(plan.id);
  layout.input.weight = name_of(plan.weight);
  layout.input.offset = name_of(plan.offset);
  layout.input.count = name_of(plan.count);
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    if (plan.columns[c].role == ColumnRole::ignored) layout.input.ignored.emplace_back(plan.name(c));
  layout.input.text = plan.text;
  layout.input.missing = plan.missing;
  layout.input.hash_bits = options.hash_bits;
  layout.input.has_header = options.header;
  return layout;
}

}  // namespace lazylogit::io
