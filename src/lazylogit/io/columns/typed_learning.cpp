// learn_typed of typed_table.hpp: what a pass over the file would find out about each column, found out of its cells.
#include <algorithm>
#include <utility>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/columns/typed_table.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

// Numbers of a column in the order of the rows: first, whether they vary, how many are not 0, their sum.
struct NumberTotals {
  ColumnFacts* facts;
  double sum = 0;
  std::uint64_t nonzero = 0;
  void add(double value) {
    facts->add_number(value);
    sum += value;
    nonzero += value != 0 ? 1 : 0;
  }
};

bool is_coded(const TypedColumn& column) { return !column.parts.empty() && column.parts[0].texts != nullptr; }

class Learner {
 public:
  Learner(const TypedTable& table, const ReadOptions& options, Log& log)
      : table_(&table), options_(&options), log_(&log) {}

  std::optional<data::Dataset> learn() {
    if (!make_plan()) return std::nullopt;
    learned_.facts = TableFacts(plan_.columns.size());
    learned_.facts.reserve_rare();
    values_.resize(plan_.columns.size());
    for (const std::size_t rows : table_->batch_rows) learned_.num_rows += rows;
    std::vector<double> sums(plan_.columns.size(), 0.0);
    std::vector<std::uint64_t> nonzero(plan_.columns.size(), 0);
    parallel_blocks(table_->columns.size(), [&](std::size_t c) {
      if (plan_.columns[c].role != ColumnRole::feature) return;
      NumberTotals totals{&learned_.facts[c]};
      if (is_coded(table_->columns[c]))
        look_at_codes(c, totals);
      else
        look_at_numbers(c, totals);
      sums[c] = totals.sum;
      nonzero[c] = totals.nonzero;
    });
    gather_values();
    learned_.totals = ColumnTotals(std::move(sums), std::move(nonzero));
    settle_types(learned_, plan_);
    for (const ColumnPlan& column : plan_.columns)
      if (column.role == ColumnRole::feature && column.type == ColumnType::text) return std::nullopt;
    report_columns(learned_, plan_, *log_);
    FeatureLayout layout = make_feature_layout(learned_, plan_, *options_, *log_);
    learned_ = {};
    data::Dataset data;
    layout.index_names();
    auto x = apply_typed(*table_, {.input = &layout.input,
                                   .features = &layout.names,
                                   .idf = &layout.idf,
                                   .classes = &data.classes,
                                   .num_features = layout.num_features});
    if (!x) return std::nullopt;
    data.x = std::move(*x);
    data.features = std::move(layout.names);
    data.input = std::move(layout.input);
    return data;
  }

 private:
  // Roles and types; false where an option gives a column another type than it has.
  bool make_plan() {
    if (options_->hash_bits || options_->derived.adds_features() ||
        options_->derived.normalize != data::RowNorm::none ||
        options_->missing != data::MissingPolicy::impute || options_->precision == Precision::float32 ||
        options_->ngrams != 1 || options_->lowercase || options_->tfidf)
      return false;
    data::Alphabet names;
    for (const TypedColumn& column : table_->columns) names.append(column.name);
    names.append(options_->target);
    plan_ = make_table_plan(columns_called(std::move(names)), *options_, {}, *log_);
    for (std::size_t c = 0; c < table_->columns.size(); ++c) {
      ColumnPlan& column = plan_.columns[c];
      if (column.role != ColumnRole::feature) continue;
      const ColumnType type = is_coded(table_->columns[c]) ? ColumnType::categorical : ColumnType::numeric;
      if (column.type_is_given && column.type != type) return false;
      column.type = type;
    }
    number_slots(plan_);
    return true;
  }

  void look_at_numbers(std::size_t c, NumberTotals& totals) {
    ColumnFacts& facts = learned_.facts[c];
    for (std::size_t b = 0; b < table_->batch_rows.size(); ++b)
      data::visit_present(
          table_->columns[c].parts[b].column, 0, table_->batch_rows[b],
          [&](std::size_t, double value) { totals.add(value); }, [&](std::size_t) { facts.add_missing(1); });
  }

  void look_at_codes(std::size_t c, NumberTotals& totals) {
    const std::vector<TypedPart>& parts = table_->columns[c].parts;
    for (std::size_t b = 0; b < parts.size(); ++b) count_codes(parts[b], table_->batch_rows[b], c);
    if (learned_.facts.rare(c).has_non_number() || plan_.columns[c].type_is_given) return;
    std::vector<double> numbers;
    for (std::size_t b = 0; b < parts.size(); ++b) {  // texts that are all numbers
      const data::Alphabet& texts = *parts[b].texts;
      numbers.assign(texts.size(), 0.0);
      for (FeatureId code = 0; code < texts.size(); ++code)
        parse_cell_number(texts.name(code), numbers[code]);
      data::visit_present(
          parts[b].column, 0, table_->batch_rows[b],
          [&](std::size_t, double code) {
            if (code >= 0 && !is_missing_cell(texts.name(static_cast<FeatureId>(code))))
              totals.add(numbers[static_cast<std::size_t>(code)]);
          },
          [](std::size_t) {});
    }
  }

  void count_codes(const TypedPart& part, std::size_t rows, std::size_t c) {
    const data::Alphabet& texts = *part.texts;
    std::vector<std::uint64_t> counts(texts.size(), 0);
    std::uint64_t missing = 0;
    const auto gone = [&](std::size_t) { ++missing; };
    data::visit_present(
        part.column, 0, rows,
        [&](std::size_t r, double code) {
          if (code < 0) return gone(r);
          ++counts[static_cast<std::size_t>(code)];
        },
        gone);
    Values& own = values_[c];
    for (FeatureId code = 0; code < texts.size(); ++code) {
      const std::string_view text = texts.name(code);
      if (counts[code] == 0) continue;
      if (is_missing_cell(text)) {
        missing += counts[code];
        continue;
      }
      const FeatureId value = own.names.intern(text);
      if (value == own.counts.size()) own.counts.push_back(0);
      own.counts[value] += counts[code];
      double number = 0;
      if (!learned_.facts.rare(c).has_non_number() && parse_cell_number(text, number) != NumberStatus::ok)
        learned_.facts.make_rare(c).non_number = {.line = 1, .text = std::string(text)};
    }
    learned_.facts[c].add_missing(missing);
  }

  // Those of all columns go to one dictionary, which one thread alone may add to.
  void gather_values() {
    for (std::uint32_t c = 0; c < values_.size(); ++c) {
      Values& own = values_[c];
      for (FeatureId value = 0; value < own.names.size(); ++value)
        learned_.values.append(c, own.names.name(value));
      learned_.counts.append(own.counts.span());
      own = {};
    }
  }

  struct Values {
    data::Alphabet names;
    Buffer<std::uint64_t> counts;  // rows per value
  };
  const TypedTable* table_;
  const ReadOptions* options_;
  Log* log_;
  TablePlan plan_;
  std::vector<Values> values_;  // by column
  LearnedTable learned_;
};

}  // namespace

std::optional<data::Dataset> learn_typed(const TypedTable& table, const ReadOptions& options, Log& log) {
  return Learner(table, options, log).learn();
}

}  // namespace lazylogit::io
